/// \file
/// What SageMaker puts into an event stream: the body of the container behind it, in parts cut anywhere, and
/// errors.
/// https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_runtime_InvokeEndpointWithResponseStream.html
#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/framing/event_stream.hpp"

namespace inferwire::inline v0_1::protocol {

/// A piece of the stream. The views live until the parser's following `feed` or `next`.
struct SageMakerEvent {
  std::string_view payload{};  ///< bytes of the container's body in a part; the JSON of an exception
  std::string_view type{};     ///< "ModelStreamError" and so on of an exception; the code of an error
  std::string_view message{};  ///< the message of an error
};

/// Takes an event stream of SageMaker apart, with the same contract as EventStreamParser. Events of types
/// that it does not know are passed over.
class SageMakerStreamParser {
 public:
  void feed(std::string_view bytes) { messages_.feed(bytes); }
  void finish() noexcept { messages_.finish(); }

  enum class Next : std::uint8_t {
    part,       ///< bytes of the container's body
    exception,  ///< the service or the container failed; nothing follows
    error,      ///< an error that the service's model does not name
    more,       ///< nothing without further bytes
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
