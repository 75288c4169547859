/// \file
/// Decides whether a loop or the task that it has posted to an executor continues with what they share.
#pragma once

#include <atomic>
#include <cstdint>

namespace inferwire::inline v0_1::client {

/// An executor may run the task late, or never, and the loop need not wait for it: exactly one of the two
/// does what follows. Reusable for the next task once one has ended.
class PostedTask {
 public:
  // The loop's thread.

  /// Call before the task is passed to the executor.
  void post() noexcept { state_.store(State::posted); }
  /// Whether it was posted and has not ended: until then the loop may not touch what it uses.
  bool is_out() const noexcept {
    const auto seen = state_.load();
    return seen == State::posted || seen == State::running;
  }
  /// The loop continues without it. False: it is running, and the task does what follows.
  bool withdraw() noexcept { return state_.exchange(State::withdrawn) != State::running; }

  // The task's thread.

  /// False: it was withdrawn, and must do nothing.
  bool begin() noexcept {
    auto seen = State::posted;
    return state_.compare_exchange_strong(seen, State::running);
  }
  /// False: it was withdrawn while it ran, and must do what follows.
  bool end() noexcept {
    auto seen = State::running;
    return state_.compare_exchange_strong(seen, State::none);
  }

 private:
  enum class State : std::uint8_t { none, posted, running, withdrawn };

  std::atomic<State> state_{State::none};
};

}  // namespace inferwire::inline v0_1::client
