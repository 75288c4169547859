#include "client/stream/element_signal.hpp"

#include "base/saturating_time.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

void ElementSignal::notify() {
  const std::lock_guard lock(mutex_);
  there_ = true;
  notified_.notify_one();
}

bool ElementSignal::take(const Optional<Duration>& limit) {
  std::unique_lock lock(mutex_);
  // Waiting until a time that has come takes tens of microseconds too: a program polls many streams.
  if (limit && *limit <= Duration::zero()) return std::exchange(there_, false);
  const auto is_there = [this] { return there_; };
  const auto until = limit ? after(std::chrono::steady_clock::now(), *limit) : TimePoint::max();
  if (until == TimePoint::max()) {
    notified_.wait(lock, is_there);
  } else {
    notified_.wait_until(lock, until, is_there);
  }
  return std::exchange(there_, false);
}

}  // namespace inferwire::inline v0_1::client
