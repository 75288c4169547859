/// \file
/// How much of a call observers and logs may see.
#pragma once

#include "inferwire/export.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// What observers and logs may see in addition to harmless data.
struct Visibility {
  /// Names of headers whose values are shown, in addition to those known to be harmless. The values of all
  /// other headers read "***".
  std::vector<std::string> headers{};
  /// Whether the bodies of requests and answers are shown, and the elements of streams one by one. In them,
  /// the values of members that hold keys (token, password, api_key, ...) read "***", and so do objects
  /// called "headers", such as those of MCP tools. In a log, requests and elements are at level debug,
  /// answers at info, and bodies of errors at the level of the line that reports the failure. The message of
  /// an error (`Error::detail`) is always shown; it is the server's and may quote the request.
  bool bodies{false};
  /// The maximum number of bytes shown of a body or an element.
  std::size_t max_body_bytes{4096};
  /// Whether the log gets libcurl's messages about connections, TLS and headers, at level debug. Has no
  /// effect on ClientOptions::transport: give `network_transport()` the log.
  bool wire{false};
};

}  // namespace inferwire::inline v0_1
