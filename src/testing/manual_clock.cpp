#include "inferwire/testing/manual_clock.hpp"

#include "base/saturating_time.hpp"

#include <algorithm>
#include <condition_variable>

namespace inferwire::inline v0_1::testing {

TimePoint ManualClock::now() const noexcept {
  const std::lock_guard lock(mutex_);
  return now_;
}

void ManualClock::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wakeup, TimePoint until) {
  if (mode_ == Mode::by_hand || until == TimePoint::max()) {
    // This wait cannot be notified of an advance: that would require the waiter's lock, which the advancing
    // thread may hold. An infinite wait is ended only by a notification, in either mode.
    wakeup.wait_for(lock, std::chrono::milliseconds(1));
    return;
  }
  const std::lock_guard own(mutex_);
  now_ = std::max(now_, until);
}

void ManualClock::advance(std::chrono::nanoseconds by) {
  // Leaves room for the waits that are counted from here, and keeps TimePoint::max(), which is never, ahead.
  constexpr TimePoint latest = TimePoint::max() - std::chrono::hours(24 * 365);
  const std::lock_guard lock(mutex_);
  now_ = std::max(now_, std::min(after(now_, by), latest));
}

}  // namespace inferwire::inline v0_1::testing
