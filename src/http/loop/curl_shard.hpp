/// \file
/// A libcurl multi of many transfers.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <memory>

#include "http/curl_pool.hpp"
#include "http/loop/poller.hpp"
#include "http/loop/reactor.hpp"

namespace inferwire::inline v0_1::http {

/// One multi, its sockets watched by the poller, where they are known by the shard's number.
///
/// libcurl looks through all connections to a host for each new transfer, which grows with their number:
/// beyond a thousand the transfers are spread over several of these.
class CurlShard {
 public:
  CurlShard(Poller& poller, std::size_t number, std::shared_ptr<CurlPool> pool);
  ~CurlShard();
  CurlShard(const CurlShard&) = delete;
  CurlShard& operator=(const CurlShard&) = delete;

  /// An exchange has begun that may use this.
  void enter() noexcept { ++exchanges_; }
  /// It is gone.
  void leave() noexcept;

  CurlPool& pool() const noexcept { return *pool_; }
  Reactor& reactor() noexcept { return reactor_; }
  Result<void> add(Transfer& transfer);
  void remove(Transfer& transfer) noexcept;
  /// Does what Reactor::linger does.
  void linger(std::unique_ptr<Transfer> transfer) noexcept;
  bool empty() const noexcept { return transfers_ == 0; }
  bool full() const noexcept { return transfers_ >= most_transfers; }
  /// It has so many that their memory counts.
  bool crowded() const noexcept { return transfers_ >= crowd; }

  /// The time at which its connections are too old to be used again; TimePoint::max() while it is used.
  TimePoint outdated() const noexcept;
  /// The time at which libcurl wants to be called although no socket has moved, or nothing is wanted of this
  /// any more.
  TimePoint due() const noexcept;
  void act(curl_socket_t socket, int events) noexcept;

 private:
  static constexpr std::size_t most_transfers = 1000;
  static constexpr std::size_t crowd = 16;

  static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
  static int on_timer(CURLM*, long milliseconds, void* self) noexcept;

  Poller& poller_;
  std::size_t number_;
  std::shared_ptr<CurlPool> pool_;  ///< outlives the transfers
  Reactor reactor_;
  std::size_t transfers_{};
  std::size_t exchanges_{};
  TimePoint idle_since_{std::chrono::steady_clock::now()};
  TimePoint due_{TimePoint::max()};
};

}  // namespace inferwire::inline v0_1::http
