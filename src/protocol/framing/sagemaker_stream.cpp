#include "protocol/framing/sagemaker_stream.hpp"

#include "protocol/framing/event_stream_writer.hpp"

#include <array>

namespace inferwire::inline v0_1::protocol {

namespace {
constexpr std::string_view message_type = ":message-type";
constexpr std::string_view event_type = ":event-type";
constexpr std::string_view exception_type = ":exception-type";
constexpr std::string_view content_type = ":content-type";
constexpr std::string_view error_code = ":error-code";
constexpr std::string_view error_message = ":error-message";
constexpr std::string_view payload_part = "PayloadPart";
}  // namespace

SageMakerStreamParser::Next SageMakerStreamParser::next(SageMakerEvent& event) {
  EventStreamMessage message;
  for (;;) {
    switch (messages_.next(message)) {
      case EventStreamParser::Next::more: return Next::more;
      case EventStreamParser::Next::broken: return Next::broken;
      case EventStreamParser::Next::message: break;
    }
    const auto kind = message.find(message_type);
    if (kind == "exception") {
      event = {.payload = message.payload, .type = message.find(exception_type).value_or("")};
      return Next::exception;
    }
    if (kind == "error") {
      event = {.type = message.find(error_code).value_or(""),
               .message = message.find(error_message).value_or("")};
      return Next::error;
    }
    if (kind == "event" && message.find(event_type) == payload_part) {
      event = {.payload = message.payload};
      return Next::part;
    }
  }
}

void append_payload_part(std::string& out, std::string_view bytes) {
  const std::array<EventStreamHeader, 3> headers{{{.name = event_type, .text = payload_part},
                                                  {.name = content_type, .text = "application/octet-stream"},
                                                  {.name = message_type, .text = "event"}}};
  append_message(out, headers, bytes);
}

void append_exception(std::string& out, std::string_view type, std::string_view json) {
  const std::array<EventStreamHeader, 3> headers{{{.name = exception_type, .text = type},
                                                  {.name = content_type, .text = "application/json"},
                                                  {.name = message_type, .text = "exception"}}};
  append_message(out, headers, json);
}

}  // namespace inferwire::inline v0_1::protocol
