/// \file
/// A libcurl multi with many transfers.
#pragma once

#include "http/curl_pool.hpp"
#include "http/loop/poller.hpp"
#include "http/reactor.hpp"

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace inferwire::inline v0_1::http {

/// One multi, whose sockets the poller watches under the shard's number.
///
/// For each new transfer libcurl searches all connections to the host, which takes longer the more there are:
/// beyond a thousand, transfers are spread over several shards. On HTTP/2 a shard has as many transfers as a
/// connection carries: libcurl would give each further one a connection of its own.
class CurlShard {
 public:
  CurlShard(Poller& poller, std::size_t number, std::shared_ptr<CurlPool> pool);
  ~CurlShard();
  CurlShard(const CurlShard&) = delete;
  CurlShard& operator=(const CurlShard&) = delete;

  /// Registers an exchange, which may then use this shard until it leaves.
  void enter() noexcept { ++exchanges_; }
  void leave() noexcept;

  CurlPool& pool() const noexcept { return *pool_; }
  Reactor& reactor() noexcept { return reactor_; }
  Result<void> add(Transfer& transfer);
  /// Must be called when a transfer is connected.
  void note_connected(Transfer& transfer) noexcept;
  void remove(Transfer& transfer) noexcept;
  /// See Reactor::linger.
  void linger(std::unique_ptr<Transfer> transfer) noexcept;
  bool empty() const noexcept { return exchanges_ == 0; }
  /// Whether it takes no further exchange; one that could not be set up takes none.
  bool full() const noexcept {
    return !reactor_.usable() || exchanges_ >= (multiplexes() ? most_on_connection : most_exchanges);
  }
  /// Whether there are so many exchanges that their memory matters.
  bool crowded() const noexcept { return exchanges_ > crowd; }

  /// The time at which its connections are too old to be reused, or at once if it could not be set up;
  /// TimePoint::max() while in use.
  TimePoint outdated() const noexcept;
  /// The time at which libcurl must be called even without socket events, or at which the shard itself
  /// expires.
  TimePoint due() const noexcept;
  /// Reads and writes what the socket's events allow.
  void act(curl_socket_t socket, int events) noexcept { reactor_.act(socket, events); }
  /// Does what is due at `now`.
  void act_when_due(TimePoint now) noexcept;

 private:
  static constexpr std::size_t most_exchanges = 1000;
  static constexpr std::size_t most_on_connection = 100;  ///< libcurl's default, and few servers allow less
  static constexpr std::size_t crowd = 16;

  /// Whether exchanges may share connections.
  bool multiplexes() const noexcept { return pool_->network().multiplexes(); }
  void forget_connecting(Transfer& transfer) noexcept;
  void look_at_addresses(TimePoint now) noexcept;

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
  static int on_timer(CURLM*, long milliseconds, void* self) noexcept;

  Poller& poller_;
  std::size_t number_;
  std::shared_ptr<CurlPool> pool_;  ///< must outlive the transfers
  Reactor reactor_;
  std::vector<Transfer*> connecting_;              ///< in no order; each knows its place
  TimePoint look_at_addresses_{TimePoint::max()};  ///< the next time, while any is connecting
  std::size_t exchanges_{};
  TimePoint idle_since_{std::chrono::steady_clock::now()};
  TimePoint due_{TimePoint::max()};
};

}  // namespace inferwire::inline v0_1::http
