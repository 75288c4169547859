/// \file
/// Passes the results of a batch's requests from the event loop to the thread that waits for them.
#pragma once

#include "client/batch/work.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/result.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

/// May be used from any thread.
class BatchMailbox {
 public:
  struct Completion {
    std::size_t ticket{};  ///< identifies the request
    Result<std::unique_ptr<BatchAnswer>> reply;
    std::shared_ptr<const ResponseInfo> info;
  };

  void put(Completion completion) {
    const std::lock_guard lock(mutex_);
    arrived_.push_back(std::move(completion));
    changed_.notify_all();
  }
  /// Ends the current wait, or else the next one.
  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  /// Takes all completions that arrived.
  std::vector<Completion> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrived_, {});
  }
  /// Takes all completions; waits for the first one, for `wake`, or until `until`.
  std::vector<Completion> wait(Clock& clock, TimePoint until) {
    std::unique_lock lock(mutex_);
    while (arrived_.empty() && !woken_ && clock.now() < until) clock.wait(lock, changed_, until);
    woken_ = false;
    return std::exchange(arrived_, {});
  }
  /// Likewise, but not for longer than `turn`. By the clock; if it cannot reach the end of the wait, by real
  /// time.
  std::vector<Completion> wait(Clock& clock, TimePoint until, Duration turn) {
    if (until != TimePoint::max()) return wait(clock, std::min(until, clock.now() + turn));
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, turn, [this] { return woken_ || !arrived_.empty(); });
    woken_ = false;
    return std::exchange(arrived_, {});
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Completion> arrived_;
  bool woken_{};
};

}  // namespace inferwire::inline v0_1::client
