#include "protocol/framing/event_stream.hpp"

#include "driver/feed.hpp"
#include "driver/operations.hpp"
#include "protocol/framing/sagemaker_stream.hpp"
#include "wire/error_body.hpp"

namespace inferwire_driver {

using inferwire::protocol::EventStreamFault;
using inferwire::protocol::EventStreamHeader;
using inferwire::protocol::EventStreamMessage;
using inferwire::protocol::EventStreamParser;
using inferwire::protocol::EventStreamType;
using inferwire::protocol::SageMakerEvent;
using inferwire::protocol::SageMakerStreamParser;
using nlohmann::json;

namespace {

json error_of(EventStreamFault fault) {
  switch (fault) {
    case EventStreamFault::none: return nullptr;
    case EventStreamFault::prelude_crc: return {{"kind", "prelude_crc"}};
    case EventStreamFault::message_crc: return {{"kind", "message_crc"}};
    case EventStreamFault::length: return {{"kind", "length"}};
    case EventStreamFault::too_large: return {{"kind", "too_large"}};
    case EventStreamFault::headers: return {{"kind", "headers"}};
    case EventStreamFault::truncated: return {{"kind", "truncated"}};
  }
  return nullptr;
}

json told_of(const EventStreamHeader& header) {
  json out = {{"name", std::string(header.name)}};
  const auto number = [&](const char* type) {
    out["type"] = type;
    out["value"] = header.number;
  };
  const auto digits = [&](const char* type) {
    out["type"] = type;
    out["value"] = std::to_string(header.number);
  };
  switch (header.type) {
    case EventStreamType::bool_true:
    case EventStreamType::bool_false:
      out["type"] = "bool";
      out["value"] = header.number == 1;
      break;
    case EventStreamType::byte: number("byte"); break;
    case EventStreamType::short_integer: number("short"); break;
    case EventStreamType::integer: number("int"); break;
    case EventStreamType::long_integer: digits("long"); break;
    case EventStreamType::timestamp: digits("timestamp"); break;
    case EventStreamType::bytes:
      out["type"] = "bytes";
      put_bytes(out, "value", header.text);
      break;
    case EventStreamType::string:
      out["type"] = "string";
      put_bytes(out, "value", header.text);
      break;
    case EventStreamType::uuid:
      out["type"] = "uuid";
      put_bytes(out, "value", header.text);
      break;
  }
  return out;
}

}  // namespace

json run_eventstream(const json& request) {
  EventStreamParser parser;
  json out = {{"messages", json::array()}, {"error", nullptr}};
  feed_all(request, parser, [&](std::size_t at) {
    EventStreamMessage message;
    auto next = parser.next(message);
    for (; next == EventStreamParser::Next::message; next = parser.next(message)) {
      json told = {{"at", at}, {"headers", json::array()}};
      for (const auto& header : message.headers) told["headers"].push_back(told_of(header));
      put_bytes(told, "payload", message.payload);
      out["messages"].push_back(std::move(told));
    }
    out["error"] = error_of(parser.fault());
    return next == EventStreamParser::Next::broken;
  });
  return out;
}

json run_sagemaker(const json& request) {
  using Next = SageMakerStreamParser::Next;
  SageMakerStreamParser parser;
  json out = {{"parts", json::array()}, {"error", nullptr}};
  feed_all(request, parser, [&](std::size_t at) {
    SageMakerEvent event;
    for (;;) {
      switch (parser.next(event)) {
        case Next::part: {
          json part = {{"at", at}};
          put_bytes(part, "payload", event.payload);
          out["parts"].push_back(std::move(part));
          break;
        }
        case Next::exception: {
          const auto facts = inferwire::wire::read_error_body(event.payload, {});
          out["error"] = {{"kind", "exception"}, {"type", event.type}};
          if (!facts.code.empty()) out["error"]["code"] = facts.code;
          if (!facts.message.empty()) out["error"]["message"] = facts.message;
          return true;
        }
        case Next::error:
          out["error"] = {{"kind", "error"}, {"type", event.type}, {"message", event.message}};
          return true;
        case Next::broken: out["error"] = error_of(parser.fault()); return true;
        case Next::more: return false;
      }
    }
  });
  return out;
}

}  // namespace inferwire_driver
