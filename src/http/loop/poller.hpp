/// \file
/// Waiting for many sockets at once.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <span>

#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::http {

/// Used by one thread at a time, but for `wake`.
class Poller {
 public:
  /// A socket that can move, and what it was watched for.
  struct Ready {
    curl_socket_t socket{};
    std::size_t owner{};
    bool read{};
    bool write{};
    bool failed{};
  };

  virtual ~Poller() = default;

  /// Watches a socket on behalf of `owner`, from now on for this. False: the system does not allow it.
  virtual bool watch(curl_socket_t socket, std::size_t owner, bool read, bool write) = 0;
  virtual void forget(curl_socket_t socket) noexcept = 0;
  /// Waits until a socket can move, a wake, or the deadline. Valid until the next call.
  virtual std::span<const Ready> wait(TimePoint deadline) = 0;
  /// Whether the last wait may not have told of all.
  virtual bool has_more() const noexcept { return false; }
  /// Ends the wait under way, or the next one. From any thread.
  virtual void wake() noexcept = 0;
};

/// The best that the system has: epoll on Linux. nullptr: no more descriptors.
std::unique_ptr<Poller> make_poller();
/// What every system has; the cost of a wait grows with the number of sockets.
std::unique_ptr<Poller> make_portable_poller();

/// How long to wait, in milliseconds: rounded up, so that the last part of one is not spent in a busy loop;
/// at most an hour.
int wait_milliseconds(TimePoint deadline) noexcept;

}  // namespace inferwire::inline v0_1::http
