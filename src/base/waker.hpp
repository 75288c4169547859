/// \file
/// Ends the waits of threads that drive exchanges in process.
#pragma once

#include "inferwire/clock.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace inferwire::inline v0_1 {

/// The wakes and notifications of one transport. Safe from any thread.
class Waker {
 public:
  class Listener;

  /// Ends the waits of all listeners, and lets each of them hear of it.
  void wake() noexcept {
    {
      const std::lock_guard lock(mutex_);
      ++wakes_;
      ++signals_;
    }
    signalled_.notify_all();
  }

  /// Ends the waits of all listeners, since something changed for which they may be waiting.
  void notify() noexcept {
    {
      const std::lock_guard lock(mutex_);
      ++signals_;
    }
    signalled_.notify_all();
  }

 private:
  std::mutex mutex_;  // guards the members below
  std::condition_variable signalled_;
  std::uint64_t wakes_{};    // how often wake() has been called
  std::uint64_t signals_{};  // how often wake() or notify() has been called
};

/// Waits on behalf of one exchange. Used by one thread at a time; borrows the waker and the clock.
class Waker::Listener {
 public:
  /// Earlier wakes are not heard.
  Listener(Waker& waker, Clock& clock) : waker_(waker), clock_(clock) { hear(); }

  /// Whether there was a wake since the last call.
  bool hear() {
    const std::lock_guard lock(waker_.mutex_);
    signals_ = waker_.signals_;
    return std::exchange(wakes_, waker_.wakes_) != waker_.wakes_;
  }

  /// Waits until `until`, or a wake or notification after the last `hear`; false if the deadline came first.
  bool wait(TimePoint until, TimePoint deadline) {
    std::unique_lock lock(waker_.mutex_);
    for (;;) {
      const auto now = clock_.now();
      if (waker_.signals_ != signals_ || now >= until) return true;
      if (now >= deadline) return false;
      clock_.wait(lock, waker_.signalled_, std::min(until, deadline));
    }
  }

 private:
  Waker& waker_;
  Clock& clock_;
  std::uint64_t wakes_{};    // the waker's at the last `hear`
  std::uint64_t signals_{};  // likewise
};

}  // namespace inferwire::inline v0_1
