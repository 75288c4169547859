#include "inferwire/testing/manual_clock.hpp"

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
  const std::lock_guard lock(mutex_);
  now_ += std::chrono::duration_cast<TimePoint::duration>(by);
}

}  // namespace inferwire::inline v0_1::testing
