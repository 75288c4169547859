/// \file
/// How much of a call observers and logs may see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// What observers and logs are shown, beyond what is harmless.
struct Visibility {
  /// Names of headers whose values are shown, in addition to those known to be harmless. The values of all
  /// others read "***".
  std::vector<std::string> headers{};
  /// Whether bodies of requests and of answers are shown, of streams their elements one by one. The values of
  /// members that hold keys (token, password, api_key, ...) read "***" in them. The message of an error
  /// (`Error::detail`) is shown in any case, in the server's words, which may quote the request.
  bool bodies{false};
  /// The most bytes of a body or an element that are shown.
  std::size_t max_body_bytes{4096};
  /// Whether the log gets libcurl's remarks about connections, TLS and heads, at level debug.
  bool wire{false};
};

}  // namespace inferwire::inline v0_1
