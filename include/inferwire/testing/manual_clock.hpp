/// \file
/// A clock for tests: time passes when the test says so.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

#include "inferwire/clock.hpp"

namespace inferwire::inline v0_1::testing {

/// Starts at an arbitrary time and moves in one of two ways. Safe from any thread. The client and its
/// ScriptTransport have to be given the same one. Sockets follow the machine's clock: against a MockServer a
/// jumping clock stands still while an answer is under way, and one moved by hand fires the client's timers.
///
///     const auto clock = std::make_shared<testing::ManualClock>();  // a 300 s timer that takes no time
///     const auto script = std::make_shared<testing::ScriptTransport>(clock);
///     const Client client({.transport = script, .environment = Environment::none(), .clock = clock});
class INFERWIRE_API ManualClock final : public Clock {
 public:
  enum class Mode : std::uint8_t {
    /// Waits end at once: the clock jumps to the end of the wait. Single-threaded tests need nothing else.
    jumps,
    /// Time passes by `advance` only. A wait releases its lock and checks the clock every millisecond of real
    /// time.
    by_hand,
  };

  explicit ManualClock(Mode mode = Mode::jumps) noexcept : mode_(mode) {}

  TimePoint now() const noexcept override;
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) override;

  void advance(std::chrono::nanoseconds by);

 private:
  const Mode mode_;
  mutable std::mutex mutex_;  // guards what follows
  TimePoint now_{std::chrono::hours(24)};
};

}  // namespace inferwire::inline v0_1::testing
