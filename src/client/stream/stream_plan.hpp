/// \file
/// What a streamed call is made from.
#pragma once

#include "inferwire/client_options.hpp"
#include "inferwire/transport.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::client {

/// The request of a stream, and its options.
struct StreamPlan {
  std::string_view operation{};  ///< for CallStart::operation; a literal
  std::string model{};
  HttpRequest http{};
  std::int64_t choices{1};
  CallOptions options{};
  /// The reason why `options.cancel` fired, if it was not the caller's decision; outlives the stream.
  const std::string* why_stopped{};
};

}  // namespace inferwire::inline v0_1::client
