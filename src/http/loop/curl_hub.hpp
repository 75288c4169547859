/// \file
/// What carries thousands of exchanges on one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "http/curl_pool.hpp"
#include "http/loop/curl_shard.hpp"
#include "http/loop/poller.hpp"

namespace inferwire::inline v0_1::http {

/// The libcurl multis, their sockets and their timers, of one transport or of several. Outlives the exchanges
/// that it carries.
class CurlHub {
 public:
  explicit CurlHub(std::unique_ptr<Poller> poller) : poller_(std::move(poller)) {}
  CurlHub(const CurlHub&) = delete;
  CurlHub& operator=(const CurlHub&) = delete;

  /// An exchange that the hub carries.
  class Member : public Attendant {
   public:
    /// Before a round: whether it is due without waiting for a socket.
    virtual bool prepare() noexcept = 0;
    /// After a round. Whether it is to be asked again in the next one.
    virtual bool look() = 0;
    /// Whether it has no connection yet; has libcurl look for one in the next round.
    virtual bool connect_further() noexcept = 0;

   private:
    friend class CurlHub;
    std::size_t place_{};  ///< among those that connect
  };

  /// The first shard of this pool's with room, whose connections are the warmest.
  CurlShard& shard(const std::shared_ptr<CurlPool>& pool);
  /// From here on, until as many calls of `leave`, exchanges of this pool are started.
  void join(const CurlPool& pool);
  /// The last one takes the pool's connections along. No exchange of it is left.
  void leave(const CurlPool& pool) noexcept;

  void attend(Member& member);
  /// Takes back `attend`.
  void forget(Member& member) noexcept;
  /// Has the member connect further from time to time, until it says that it is connected.
  void watch_connecting(Member& member);
  /// Takes it back. By place: of calls that use connections again thousands begin between two looks.
  void stop_watching(Member& member) noexcept;

  /// Does what Multiplexer::run does; returns whether it was woken.
  bool run(TimePoint deadline);
  void wake() noexcept;
  /// How often `wake` has been called.
  std::uint64_t wakes() const noexcept { return wakes_.load(std::memory_order_acquire); }

 private:
  TimePoint next_due() const noexcept;
  void act_on_sockets(TimePoint deadline);
  void act_on(const Poller::Ready& ready) noexcept;
  bool act_due();
  void look_at_connecting(TimePoint now) noexcept;
  bool prepare_members() noexcept;
  void look_after_members();

  std::unique_ptr<Poller> poller_;
  std::vector<std::unique_ptr<CurlShard>> shards_;  ///< by their number; nullptr where one is gone
  std::vector<const CurlPool*> guests_;
  std::vector<Member*> attended_;  ///< nullptr where one is gone
  std::vector<Member*> looking_;
  std::vector<Member*> connecting_;
  TimePoint look_at_connecting_{TimePoint::max()};  ///< when next
  std::atomic<std::uint64_t> wakes_{0};
  std::uint64_t seen_wakes_{};
  bool sockets_wait_{};  ///< nobody has asked for news of sockets in the last round
};

}  // namespace inferwire::inline v0_1::http
