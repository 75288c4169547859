/// \file
/// Who may call a listener, whose owner may destroy it at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace inferwire::inline v0_1::client {

/// One thread at a time calls the listener. The owner of what the listener refers to says `close` from any
/// thread; nobody calls it from then on, and the owner may `wait` for a call that is under way.
class CallbackGuard {
 public:
  /// Whether the listener may be called; if so, `end` or `pause` follows. `stays`: `begin` is called again
  /// for further elements before that, and then costs next to nothing.
  bool begin(bool stays) noexcept {
    if (stays_) return state_.load() == State::calling;
    caller_.store(std::this_thread::get_id(), std::memory_order_relaxed);  // seen by who sees what comes next
    auto seen = State::idle;
    if (!state_.compare_exchange_strong(seen, State::calling)) return false;
    if (stays) stays_ = true;
    return true;
  }
  void end() noexcept {
    auto seen = State::calling;
    if (state_.compare_exchange_strong(seen, State::idle)) return;
    state_.store(State::closed);
    state_.notify_all();
  }
  /// Ends a call that stays, if one is under way.
  void pause() noexcept {
    if (!stays_) return;  // and not written to where another thread calls
    stays_ = false;
    end();
  }

  /// From now on nobody calls. True: another thread is calling at this moment, and can be waited for.
  bool close() noexcept {
    for (auto seen = state_.load(); seen < State::closing;) {
      const bool under_way = seen == State::calling;
      if (!state_.compare_exchange_strong(seen, under_way ? State::closing : State::closed)) continue;
      return under_way && caller_.load() != std::this_thread::get_id();
    }
    return false;
  }
  /// Waits until that thread has ended its call.
  void wait() noexcept { state_.wait(State::closing); }
  bool is_closed() const noexcept { return state_.load() >= State::closing; }

 private:
  enum class State : std::uint8_t { idle, calling, closing, closed };

  std::atomic<std::thread::id> caller_{};  ///< who calls, while it does
  std::atomic<State> state_{State::idle};  ///< the last two: nobody may begin
  bool stays_{};                           ///< a call that stays is under way; its thread's
};

}  // namespace inferwire::inline v0_1::client
