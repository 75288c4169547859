/// \file
/// A multiplexer that polls the exchanges of transports without a multiplexer.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Drives exchanges when they are due, and every millisecond those that cannot say when they are. Must
/// outlive the transports that it adopted, and their exchanges.
class PollingMultiplexer final : public Multiplexer {
 public:
  explicit PollingMultiplexer(Clock& clock) : clock_(clock) {}

  /// Returns Error{config}: it has no transport of its own. See `adopt`.
  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;
  void run(TimePoint deadline) override;
  std::unique_ptr<Transport> adopt(Transport& other) override;

  /// Polls an exchange of `transport` until it leaves.
  void enter(Exchange& exchange, Transport& transport, Sink& sink) {
    entries_.push_back({&exchange, &transport, &sink, false});
  }
  void leave(const Exchange& exchange) noexcept;
  bool empty() const noexcept { return entries_.empty(); }

 private:
  /// An exchange, and its transport, which can be woken from another thread.
  struct Entry {
    Exchange* exchange{};
    Transport* transport{};
    Sink* sink{};
    bool ended{};
  };

  bool look_at_all();
  void drive(Entry& entry, TimePoint deadline);
  void wait(TimePoint deadline);
  void wait_until_next_poll(std::unique_lock<std::mutex>& lock, TimePoint deadline);

  Clock& clock_;
  std::vector<Entry> entries_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool woken_{};
  Transport* driven_{};
};

}  // namespace inferwire::inline v0_1::client
