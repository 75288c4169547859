/// \file
/// What libcurl says went wrong, as facts.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "inferwire/error.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::http {

/// How far the head of an answer has come.
enum class HeadPart : std::uint8_t { none, begun, whole };

/// How libcurl ended an exchange. Holds no secret.
struct CurlOutcome {
  CURLcode code{CURLE_OK};
  std::string_view text{};         ///< libcurl's own description of the failure
  std::string_view place{};        ///< host and port
  std::string_view unix_socket{};  ///< the path that is connected to in their stead; empty: none
  int os_error{};                  ///< the errno that libcurl met; 0: none
  int socket_error{};              ///< why there was no socket, as errno has it; 0: there was one
  long proxy_status{};             ///< what the proxy answered when it was asked for a tunnel; 0: nothing
  long proxy_error{};              ///< how it failed, as a CURLproxycode
  bool is_secure{};
  bool connected{};
  bool on_own_connection{};  ///< not used before
  bool sent{};
  HeadPart head{HeadPart::none};
  std::chrono::microseconds taken{};
  std::optional<Duration> connect_limit{};  ///< the caller's
};

/// What an outcome means: nothing for a whole answer.
std::optional<Error> error_of(const CurlOutcome& outcome);

}  // namespace inferwire::inline v0_1::http
