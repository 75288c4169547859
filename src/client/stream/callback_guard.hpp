/// \file
/// Guards calls of a listener whose owner may destroy it at any time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace inferwire::inline v0_1::client {

/// One thread at a time calls the listener. The owner of what the listener refers to calls `close` from any
/// thread; no call begins after that, and the owner may `wait` for a call in progress.
class CallbackGuard {
 public:
  /// Whether the listener may be called; if so, `end` or `pause` must follow. `stays`: `begin` is called
  /// again for further elements before that, and those calls are cheap.
  bool begin(bool stays) noexcept {
    if (stays_) return state_.load() == State::calling;
    caller_.store(std::this_thread::get_id(), std::memory_order_relaxed);  // published by `state_`
    auto seen = State::idle;
    if (!state_.compare_exchange_strong(seen, State::calling)) return false;
    if (stays) stays_ = true;
    return true;
  }
  void end() noexcept {
    auto seen = State::calling;
    if (state_.compare_exchange_strong(seen, State::idle)) return;
    const std::lock_guard lock(mutex_);
    state_.store(State::closed);
    ended_.notify_all();
  }
  /// Ends a call that stays, if one is in progress.
  void pause() noexcept {
    if (!stays_) return;  // does not write while another thread calls
    stays_ = false;
    end();
  }

  /// No call begins from now on. True: another thread is calling at this moment, and can be waited for.
  bool close() noexcept {
    for (auto seen = state_.load(); seen < State::closing;) {
      const bool under_way = seen == State::calling;
      if (!state_.compare_exchange_strong(seen, under_way ? State::closing : State::closed)) continue;
      return under_way && caller_.load() != std::this_thread::get_id();
    }
    return false;
  }
  /// Waits until that thread has ended its call.
  void wait() noexcept {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return state_.load() == State::closed; });
  }
  bool is_closed() const noexcept { return state_.load() >= State::closing; }

 private:
  enum class State : std::uint8_t { idle, calling, closing, closed };

  std::atomic<std::thread::id> caller_{};  ///< the calling thread, during a call
  std::atomic<State> state_{State::idle};  ///< in the last two, no call may begin
  bool stays_{};                           ///< a call that stays is in progress; used by its thread only
  // No std::atomic::wait: that of libstdc++ 12 loses notifications on systems without futexes.
  std::mutex mutex_{};  ///< held while `closing` becomes `closed`
  std::condition_variable ended_{};
};

}  // namespace inferwire::inline v0_1::client
