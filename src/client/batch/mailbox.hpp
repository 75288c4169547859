/// \file
/// How the requests of a batch, which end on the event loop, reach the thread that waits for them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "inferwire/clock.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::client {

/// Safe from any thread.
template <class Response>
class BatchMailbox {
 public:
  struct Letter {
    std::size_t ticket{};  ///< names the request
    Result<Response> reply;
    std::shared_ptr<const ResponseInfo> info;
  };

  void put(Letter letter) {
    const std::lock_guard lock(mutex_);
    letters_.push_back(std::move(letter));
    changed_.notify_all();
  }
  /// Ends the wait that is going on, or else the next one.
  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  /// All that came.
  std::vector<Letter> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(letters_, {});
  }
  /// Takes the letters that came; waits for the first one, for `wake`, and no longer than `until`.
  std::vector<Letter> wait(Clock& clock, TimePoint until) {
    std::unique_lock lock(mutex_);
    while (letters_.empty() && !woken_ && clock.now() < until) clock.wait(lock, changed_, until);
    woken_ = false;
    return std::exchange(letters_, {});
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Letter> letters_;
  bool woken_{};
};

}  // namespace inferwire::inline v0_1::client
