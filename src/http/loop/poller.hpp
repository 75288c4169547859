/// \file
/// Waits for many sockets at once.
#pragma once

#include "inferwire/timeouts.hpp"

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <span>

namespace inferwire::inline v0_1::http {

/// Used by one thread at a time, except `wake`.
class Poller {
 public:
  /// A socket with an event, and whom it is watched for.
  struct Ready {
    curl_socket_t socket{};
    std::size_t owner{};
    bool read{};
    bool write{};
    bool failed{};
  };

  virtual ~Poller() = default;

  /// Watches a socket for `owner`, replacing earlier interests. Returns false if the system does not allow
  /// it.
  virtual bool watch(curl_socket_t socket, std::size_t owner, bool read, bool write) = 0;
  virtual void forget(curl_socket_t socket) noexcept = 0;
  /// Waits for a socket event, a wake, or the deadline. The result is valid until the next call.
  virtual std::span<const Ready> wait(TimePoint deadline) = 0;
  /// Whether the last wait may not have returned all events.
  virtual bool has_more() const noexcept { return false; }
  /// Ends the current wait, or the next one. May be called from any thread.
  virtual void wake() noexcept = 0;
};

/// The best poller of the system: epoll on Linux. nullptr: no descriptors left.
std::unique_ptr<Poller> make_poller();
/// A poller for all systems; the cost of a wait grows with the number of sockets.
std::unique_ptr<Poller> make_portable_poller();

}  // namespace inferwire::inline v0_1::http
