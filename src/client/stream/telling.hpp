/// \file
/// Who may call a listener, whose owner may destroy it at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace inferwire::inline v0_1::client {

/// One thread at a time calls the listener ("tells" it). The owner of what the listener refers to says
/// `leave` from any thread; nobody is told from then on, and it may `wait` for a call that is under way.
class Telling {
 public:
  /// Whether the listener may be told; if so, `end` or `pause` follows. `stays`: `begin` is called again for
  /// further elements before that, and then costs next to nothing.
  bool begin(bool stays) noexcept {
    if (here_) return state_.load() == State::under_way;
    teller_.store(std::this_thread::get_id(), std::memory_order_relaxed);  // seen by who sees what comes next
    auto seen = State::nothing;
    if (!state_.compare_exchange_strong(seen, State::under_way)) return false;
    if (stays) here_ = true;
    return true;
  }
  void end() noexcept {
    auto seen = State::under_way;
    if (state_.compare_exchange_strong(seen, State::nothing)) return;
    state_.store(State::nothing_more);
    state_.notify_all();
  }
  /// Ends a telling that stays, if one is under way.
  void pause() noexcept {
    if (!here_) return;  // and not written to where another thread tells
    here_ = false;
    end();
  }

  /// From now on nobody is told. True: another thread is telling at this moment, and can be waited for.
  bool leave() noexcept {
    for (auto seen = state_.load(); seen < State::to_nobody;) {
      const bool under_way = seen == State::under_way;
      if (!state_.compare_exchange_strong(seen, under_way ? State::to_nobody : State::nothing_more)) continue;
      return under_way && teller_.load() != std::this_thread::get_id();
    }
    return false;
  }
  /// Waits until that thread has ended its call.
  void wait() noexcept { state_.wait(State::to_nobody); }
  /// Whether somebody has left.
  bool is_left() const noexcept { return state_.load() >= State::to_nobody; }

 private:
  enum class State : std::uint8_t { nothing, under_way, to_nobody, nothing_more };

  std::atomic<std::thread::id> teller_{};     ///< who tells, while it does
  std::atomic<State> state_{State::nothing};  ///< the last two: somebody has left
  bool here_{};                               ///< one that stays is under way; its thread's
};

}  // namespace inferwire::inline v0_1::client
