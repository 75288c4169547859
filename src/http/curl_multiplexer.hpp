/// \file
/// Thousands of exchanges on one thread.
#pragma once

#include <curl/curl.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "http/curl_pool.hpp"
#include "http/poller.hpp"
#include "http/reactor.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

/// The libcurl multis, their sockets and their timers, of one transport or of several. Outlives the exchanges
/// that it carries.
///
/// libcurl looks through all connections to a host for each new transfer, which grows with their number:
/// beyond a thousand the transfers are spread over several multis.
class CurlHub {
 public:
  explicit CurlHub(std::unique_ptr<Poller> poller) : poller_(std::move(poller)) {}
  CurlHub(const CurlHub&) = delete;
  CurlHub& operator=(const CurlHub&) = delete;

  /// One multi, its sockets watched by the hub's poller.
  class Shard {
   public:
    Shard(CurlHub& hub, std::size_t number, std::shared_ptr<CurlPool> pool);
    ~Shard();
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;

    /// An exchange has begun that may use this.
    void enter() noexcept { ++exchanges_; }
    /// It is gone.
    void leave() noexcept;

    CurlPool& pool() const noexcept { return *pool_; }
    Reactor& reactor() noexcept { return reactor_; }
    Result<void> add(Transfer& transfer);
    void remove(Transfer& transfer) noexcept;
    /// As Reactor::linger.
    void linger(std::unique_ptr<Transfer> transfer) noexcept;
    bool empty() const noexcept { return transfers_ == 0; }
    bool full() const noexcept { return transfers_ >= most_transfers; }
    /// It has so many that their memory counts.
    bool crowded() const noexcept { return transfers_ >= crowd; }

    /// When its connections are too old to be used again; TimePoint::max() while it is used.
    TimePoint outdated() const noexcept;
    /// When libcurl wants to be called although no socket has moved, or nothing is wanted of this any more.
    TimePoint due() const noexcept;
    void act(curl_socket_t socket, int events) noexcept;

   private:
    static constexpr std::size_t most_transfers = 1000;
    static constexpr std::size_t crowd = 16;

    static int on_socket(CURL*, curl_socket_t socket, int what, void* self, void*) noexcept;
    static int on_timer(CURLM*, long milliseconds, void* self) noexcept;

    CurlHub& hub_;
    std::size_t number_;
    std::shared_ptr<CurlPool> pool_;  ///< outlives the transfers
    Reactor reactor_;
    std::size_t transfers_{};
    std::size_t exchanges_{};
    TimePoint idle_since_{std::chrono::steady_clock::now()};
    TimePoint due_{TimePoint::max()};
  };

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
  Shard& shard(const std::shared_ptr<CurlPool>& pool);
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

  /// As Multiplexer::run; returns whether it was woken.
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
  std::vector<std::unique_ptr<Shard>> shards_;  ///< by their number; nullptr where one is gone
  std::vector<const CurlPool*> guests_;
  std::vector<Member*> attended_;  ///< nullptr where one is gone
  std::vector<Member*> looking_;
  std::vector<Member*> connecting_;
  TimePoint look_at_connecting_{TimePoint::max()};  ///< when next
  std::atomic<std::uint64_t> wakes_{0};
  std::uint64_t seen_wakes_{};
  bool sockets_wait_{};  ///< nobody has asked for news of sockets in the last round
};

/// Drives a hub, and starts the exchanges of the transport that it was made for.
class CurlMultiplexer final : public Multiplexer {
 public:
  CurlMultiplexer(std::shared_ptr<CurlPool> pool, std::shared_ptr<CurlHub> hub)
      : pool_(std::move(pool)), hub_(std::move(hub)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override { hub_->wake(); }
  void run(TimePoint deadline) override {
    if (hub_->run(deadline)) hub_->run(TimePoint::min());  // a wake; what has arrived is taken all the same
  }
  std::unique_ptr<Transport> adopt(Transport& other) override;

 private:
  std::shared_ptr<CurlPool> pool_;
  std::shared_ptr<CurlHub> hub_;
};

}  // namespace inferwire::inline v0_1::http
