/// \file
/// Translates libcurl's failures into errors.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/timeouts.hpp"

#include <curl/curl.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::http {

/// The number of the system's error if nobody listens.
#if defined(_WIN32)
inline constexpr int connection_refused = WSAECONNREFUSED;
#else
inline constexpr int connection_refused = ECONNREFUSED;
#endif

/// How much of an answer's head has been received.
enum class HeadPart : std::uint8_t { none, begun, whole };

/// How libcurl ended an exchange. Holds no secret.
struct CurlOutcome {
  CURLcode code{CURLE_OK};
  std::string_view text{};             ///< libcurl's own description of the failure
  std::string_view place{};            ///< host and port
  std::string_view unix_socket{};      ///< the path that is connected to instead; empty: none
  std::string_view default_ca_file{};  ///< the file that SSL_CERT_FILE names; empty: none
  int os_error{};         ///< the number of the handle's last error, perhaps an earlier one; 0: none
  int socket_error{};     ///< the errno of the handle's last socket(); 0: success
  long proxy_status{};    ///< the proxy's answer to the last request for a tunnel; 0: none
  long proxy_error{};     ///< how the proxy failed, as a CURLproxycode
  bool has_proxy_user{};  ///< the proxy was given a user's name
  bool is_secure{};
  bool connected{};
  bool on_own_connection{};  ///< not used before
  bool sent{};
  HeadPart head{HeadPart::none};
  std::chrono::microseconds taken{};
  std::optional<Duration> connect_limit{};  ///< the caller's limit
};

/// Whether a proxy answered so to refuse a tunnel: the first, or one to repeat the request when a reused one
/// broke.
constexpr bool is_refused_tunnel(long proxy_status) noexcept {
  constexpr long redirection = 300;
  return proxy_status >= redirection;
}

/// The error for an outcome; nothing for a complete answer.
std::optional<Error> error_of(const CurlOutcome& outcome);

}  // namespace inferwire::inline v0_1::http
