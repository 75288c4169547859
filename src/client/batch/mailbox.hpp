/// \file
/// Passes the results of a batch's requests from the event loop to the thread that waits for them.
#pragma once

#include "client/batch/work.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/response_info.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace inferwire::inline v0_1::client {

/// May be used from any thread.
class BatchMailbox {
 public:
  struct Completion {
    std::size_t ticket{};  ///< identifies the request
    std::unique_ptr<BatchReply> reply{};
    std::shared_ptr<const ResponseInfo> info{};
  };
  using Completions = std::list<Completion>;
  using Place = Completions::iterator;

  /// Makes a place for the completion of a request, so that `put` needs no memory.
  Place expect(std::size_t ticket, std::shared_ptr<const ResponseInfo> info) {
    const std::lock_guard lock(mutex_);
    return expected_.insert(expected_.end(), {.ticket = ticket, .info = std::move(info)});
  }
  void put(Place place, std::unique_ptr<BatchReply> reply) {
    const std::lock_guard lock(mutex_);
    place->reply = std::move(reply);
    arrived_.splice(arrived_.end(), expected_, place);
    changed_.notify_all();
  }
  /// Ends the current wait, or else the next one.
  void wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  /// Takes all completions that arrived.
  Completions take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrived_, {});
  }
  /// Takes all completions; waits for the first one, for `wake`, or until `until`.
  Completions wait(Clock& clock, TimePoint until) {
    std::unique_lock lock(mutex_);
    while (arrived_.empty() && !woken_ && clock.now() < until) clock.wait(lock, changed_, until);
    woken_ = false;
    return std::exchange(arrived_, {});
  }
  /// Takes all completions; waits for the first one, for `wake`, or until `until`, but for `turn` at most.
  /// That is measured by `clock` if there is an `until`, else in real time, since a test's clock may stand
  /// still.
  Completions wait(Clock& clock, TimePoint until, Duration turn) {
    if (until != TimePoint::max()) return wait(clock, std::min(until, clock.now() + turn));
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, turn, [this] { return woken_ || !arrived_.empty(); });
    woken_ = false;
    return std::exchange(arrived_, {});
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Completions expected_;
  Completions arrived_;
  bool woken_{};
};

}  // namespace inferwire::inline v0_1::client
