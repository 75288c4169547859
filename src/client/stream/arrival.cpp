#include "client/stream/arrival.hpp"

#include <utility>

#include "client/saturating_time.hpp"

namespace inferwire::inline v0_1::client {

void Arrival::tell() {
  const std::lock_guard lock(mutex_);
  there_ = true;
  told_.notify_one();
}

bool Arrival::take(const Optional<Duration>& limit) {
  std::unique_lock lock(mutex_);
  const auto is_there = [this] { return there_; };
  const auto until = limit ? after(std::chrono::steady_clock::now(), *limit) : TimePoint::max();
  if (until == TimePoint::max()) {
    told_.wait(lock, is_there);
  } else {
    told_.wait_until(lock, until, is_there);
  }
  return std::exchange(there_, false);
}

}  // namespace inferwire::inline v0_1::client
