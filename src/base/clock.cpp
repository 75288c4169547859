#include "inferwire/clock.hpp"

#include <algorithm>

namespace inferwire::inline v0_1 {

Clock::~Clock() = default;

namespace {
class SystemClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return std::chrono::steady_clock::now(); }
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) override {
    // TimePoint::max() overflows inside some implementations of wait_until.
    wakeup.wait_until(lock, std::min(until, now() + std::chrono::hours(24)));
  }
};
}  // namespace

Clock& Clock::system() noexcept {
  // Never destroyed: the thread of a loop that was let go of on itself may outlive the statics of a program.
  static SystemClock& clock = *new SystemClock;
  return clock;
}

}  // namespace inferwire::inline v0_1
