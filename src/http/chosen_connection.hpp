/// \file
/// Whether a request may use the connection that libcurl chose for it.
#pragma once

#include "http/curl_handle.hpp"
#include "http/network_setup.hpp"
#include "http/sockets.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::http {

/// Used while libcurl waits for the answer to that question.
class ChosenConnection {
 public:
  ChosenConnection(const CurlHandle& handle, const NetworkSetup& network, Sockets& sockets,
                   int local_port) noexcept
      : handle_(handle),
        network_(network),
        sockets_(sockets),
        local_port_(local_port),
        is_own_(handle.has_own_connection()) {}

  /// Whether it was made for this request.
  bool is_own() const noexcept { return is_own_; }

  /// Whether it cannot have died with a connection that broke: it was made for this request, or not before
  /// `since`; nothing: none broke. HTTP/2 exchanges that are repeated together share a new one.
  bool is_new(Optional<TimePoint> since) const noexcept {
    return is_own() || !since || sockets_.made_since(local_port_, *since);
  }

  /// Whether it was used before and holds unsolicited bytes: they do not answer the request that is about to
  /// be sent, but libcurl would take them for its answer. (8.14 checks this itself; 7.88 does not, and 8.23
  /// does not if the connection was idle for less than a second.) On HTTP/2, which TLS may have negotiated,
  /// waiting bytes are normal.
  bool holds_other_bytes() const noexcept {
    const bool may_be_http2 = network_.multiplexes() && handle_.is_secure();
    if (is_own() || (may_be_http2 && !sockets_.carry_http1(local_port_))) return false;
    return sockets_.hold_bytes(local_port_);
  }

  /// Limits how long sent data may stay unacknowledged. A reused connection may be dead without notice: the
  /// network has changed, or the machine has slept. Keep-alive does not act while sent data is
  /// unacknowledged. A new connection has just been shown to work; and since the limit also counts while a
  /// server does not read, it is not for a server that queues a request.
  void limit_unacknowledged() const noexcept {
    if (is_own()) return;
    if (const auto limit = network_.unacknowledged_limit()) {
      sockets_.limit_unacknowledged(local_port_, *limit);
    }
  }

 private:
  const CurlHandle& handle_;
  const NetworkSetup& network_;
  Sockets& sockets_;
  int local_port_;
  bool is_own_;
};

}  // namespace inferwire::inline v0_1::http
