/// \file
/// The error that ends a stream.
#pragma once

#include "engine/answer/call_frame.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Writes the error of one stream. The Responses API numbers its events, and has an error event.
class StreamError {
 public:
  explicit StreamError(const CallFrame& frame)
      : form_(frame.dialect.errors), numbers_events_(frame.numbers_events) {}

  /// Notes complete events that precede the error.
  void follow(std::string_view events);
  void append(std::string& out, Framing framing, const Refusal& refusal) const;

 private:
  ErrorForm form_;
  bool numbers_events_;
  std::int64_t number_{};
};

}  // namespace inferwire::inline v0_1::engine
