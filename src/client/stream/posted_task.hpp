/// \file
/// Who goes on with what a loop shares with a task that it has posted to an executor.
#pragma once

#include <atomic>
#include <cstdint>

namespace inferwire::inline v0_1::client {

/// An executor may run the task late, or never, and the loop need not wait for it: what is to follow is done
/// by exactly one of the two. Used again for the next task once one has ended.
class PostedTask {
 public:
  // The loop's thread.

  /// The executor is about to get it.
  void post() noexcept { state_.store(State::posted); }
  /// Whether it was posted and has not ended: what it uses is not the loop's meanwhile.
  bool is_out() const noexcept {
    const auto seen = state_.load();
    return seen == State::posted || seen == State::running;
  }
  /// The loop goes on without it. False: it runs at this moment, and what is to follow is up to the task.
  bool withdraw() noexcept { return state_.exchange(State::withdrawn) != State::running; }

  // The task's thread.

  /// False: it was withdrawn, and has nothing to do.
  bool begin() noexcept {
    auto seen = State::posted;
    return state_.compare_exchange_strong(seen, State::running);
  }
  /// False: it was withdrawn meanwhile, and does what is to follow.
  bool end() noexcept {
    auto seen = State::running;
    return state_.compare_exchange_strong(seen, State::none);
  }

 private:
  enum class State : std::uint8_t { none, posted, running, withdrawn };

  std::atomic<State> state_{State::none};
};

}  // namespace inferwire::inline v0_1::client
