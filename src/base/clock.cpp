#include "inferwire/clock.hpp"

#include "base/immortal.hpp"

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
  static Immortal<SystemClock> clock;
  return clock.value;
}

}  // namespace inferwire::inline v0_1
