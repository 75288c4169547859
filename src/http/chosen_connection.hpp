/// \file
/// Whether a request may use the connection that libcurl chose for it.
#pragma once

#include "http/sockets.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"

#include <chrono>
#include <optional>

namespace inferwire::inline v0_1::http {

/// Used while libcurl waits for the answer to that question.
class ChosenConnection {
 public:
  ChosenConnection(Sockets& sockets, int local_port, bool is_own) noexcept
      : sockets_(sockets), local_port_(local_port), is_own_(is_own) {}

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
  bool holds_other_bytes(bool may_be_http2) const noexcept {
    if (is_own() || (may_be_http2 && !sockets_.carry_http1(local_port_))) return false;
    return sockets_.hold_bytes(local_port_);
  }

  /// Limits how long sent data may stay unacknowledged; nothing: the system's limit. A reused connection may
  /// be dead without notice: the network has changed, or the machine has slept. Keep-alive does not act while
  /// sent data is unacknowledged. A new connection has just been shown to work; and since the limit also
  /// counts while a server does not read, it is not for a server that queues a request.
  void limit_unacknowledged(std::optional<std::chrono::seconds> limit) const noexcept {
    if (!is_own() && limit) sockets_.limit_unacknowledged(local_port_, *limit);
  }

 private:
  Sockets& sockets_;
  int local_port_;
  bool is_own_;
};

}  // namespace inferwire::inline v0_1::http
