/// \file
/// The contents of SageMaker's event streams: the body of the container, in parts cut anywhere, and errors.
/// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_runtime_InvokeEndpointWithResponseStream.html
#pragma once

#include "protocol/framing/event_stream.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

/// A piece of the stream. The views are valid until the next `feed` or `next` of the parser.
struct SageMakerEvent {
  std::string_view payload{};  ///< for a part, bytes of the container's body; for an exception, its JSON
  std::string_view type{};     ///< for an exception, "ModelStreamError" and the like; for an error, its code
  std::string_view message{};  ///< for an error, its message
};

/// Splits an event stream of SageMaker, with the same contract as EventStreamParser. Events of unknown types
/// are skipped.
class SageMakerStreamParser {
 public:
  /// `max_message_bytes` is that of EventStreamParser.
  explicit SageMakerStreamParser(std::size_t max_message_bytes = largest_event_stream_message)
      : messages_(max_message_bytes) {}

  void feed(std::string_view bytes) { messages_.feed(bytes); }
  void finish() noexcept { messages_.finish(); }

  enum class Next : std::uint8_t {
    part,       ///< bytes of the container's body
    exception,  ///< the service or the container failed; nothing follows
    error,      ///< an error that is not in the service's API model
    more,       ///< more bytes are needed
    broken,     ///< `fault` says why
  };
  Next next(SageMakerEvent& event);

  EventStreamFault fault() const noexcept { return messages_.fault(); }

 private:
  EventStreamParser messages_;
};

/// Appends a part of the container's body.
void append_payload_part(std::string& out, std::string_view bytes);
/// Appends the exception that ends a stream: `type` is "ModelStreamError" or "InternalStreamFailure", `json`
/// its body.
void append_exception(std::string& out, std::string_view type, std::string_view json);

}  // namespace inferwire::inline v0_1::protocol
