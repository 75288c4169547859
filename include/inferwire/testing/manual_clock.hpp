/// \file
/// A clock for tests, controlled by the test.
#pragma once

#include "inferwire/clock.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>

namespace inferwire::inline v0_1::testing {

/// Starts at an arbitrary time and advances in one of two ways. Safe from any thread. The client and its
/// ScriptTransport have to be given the same clock. Sockets follow the machine's clock: with a MockServer, a
/// clock that jumps stands still while an answer is in progress, and one that is advanced by hand fires the
/// client's timers.
///
///     const auto clock = std::make_shared<testing::ManualClock>();  // a 300 s timer that takes no time
///     const auto script = std::make_shared<testing::ScriptTransport>(clock);
///     const Client client({.transport = script, .environment = Environment::none(), .clock = clock});
class INFERWIRE_API ManualClock final : public Clock {
 public:
  enum class Mode : std::uint8_t {
    /// Waits end at once: the clock jumps to the end of the wait. Enough for single-threaded tests.
    jumps,
    /// Time passes only by calls of `advance`. A wait releases its lock and checks the clock every
    /// millisecond of real time.
    by_hand,
  };

  explicit ManualClock(Mode mode = Mode::jumps) noexcept : mode_(mode) {}

  TimePoint now() const noexcept override;
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) override;

  /// Moves the clock forward, at most to about 290 years after its start.
  void advance(std::chrono::nanoseconds by);

 private:
  const Mode mode_;
  mutable std::mutex mutex_;  // guards what follows
  TimePoint now_{std::chrono::hours(24)};
};

}  // namespace inferwire::inline v0_1::testing
