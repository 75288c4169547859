/// \file
/// Carries thousands of exchanges on one thread.
#pragma once

#include "http/curl_pool.hpp"
#include "http/loop/curl_shard.hpp"
#include "http/loop/poller.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::http {

/// The libcurl multis of one or more transports, with their sockets and timers. Must outlive the exchanges
/// that it carries.
class CurlHub {
 public:
  explicit CurlHub(std::unique_ptr<Poller> poller) : poller_(std::move(poller)) {}
  CurlHub(const CurlHub&) = delete;
  CurlHub& operator=(const CurlHub&) = delete;

  /// An exchange that the hub carries.
  class Member : public Attendant {
   public:
    /// Called before a round; returns whether one is due without waiting for a socket.
    virtual bool prepare() noexcept = 0;
    /// Called after a round; returns whether to call it again after the next one.
    virtual bool look() = 0;

   private:
    friend class CurlHub;
    bool attended_{};
  };

  /// The first shard of this pool with room, whose connections are the warmest.
  CurlShard& shard(const std::shared_ptr<CurlPool>& pool);
  /// Exchanges of this pool may be started until `leave` is called as often as `join`.
  void join(const CurlPool& pool);
  /// The last call closes the pool's connections. No exchange of it may be left.
  void leave(const CurlPool& pool) noexcept;

  /// One more exchange begins, for which there has to be memory: std::bad_alloc.
  void enter();
  /// Prepares the member before the next round, and looks after it.
  void attend(Member& member) noexcept;
  /// The member's exchange ends.
  void leave(Member& member) noexcept;

  /// Implements Multiplexer::run; returns whether it was woken.
  bool run(TimePoint deadline);
  void wake() noexcept;
  /// How often `wake` has been called.
  std::uint64_t wakes() const noexcept { return wakes_.load(std::memory_order_acquire); }

 private:
  TimePoint next_due() const noexcept;
  void act_on_sockets(TimePoint deadline);
  void act_on(const Poller::Ready& ready) noexcept;
  bool act_due();
  bool prepare_members() noexcept;
  void look_after_members();

  std::unique_ptr<Poller> poller_;
  std::vector<std::unique_ptr<CurlShard>> shards_;  ///< by number; nullptr if removed
  std::vector<const CurlPool*> guests_;
  std::size_t members_{};
  std::vector<Member*> attended_;  ///< nullptr if removed
  std::vector<Member*> looking_;
  std::atomic<std::uint64_t> wakes_{0};
  std::uint64_t seen_wakes_{};
  bool sockets_wait_{};  ///< the last round did not look at the sockets
};

}  // namespace inferwire::inline v0_1::http
