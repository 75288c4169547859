#include "inferwire/cancel.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace inferwire::inline v0_1 {

/// Shared by a source, its tokens and their hooks.
struct INFERWIRE_PRIVATE CancelToken::State {
  std::atomic<bool> cancelled{false};

  std::mutex mutex;                  // guards what follows
  std::condition_variable finished;  // a wake has returned
  Hook* last{};                      // of those that wait
  const Hook* running{};             // whose wake runs
  std::thread::id runner;
};

bool CancelToken::cancelled() const noexcept {
  return state_ && state_->cancelled.load(std::memory_order_acquire);
}

CancelToken::Hook::Hook(const CancelToken& token, void (*wake)(void*), void* context) noexcept
    : state_(token.state_), wake_(wake), context_(context) {
  if (!state_) return;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->cancelled.load(std::memory_order_acquire)) {
      before_ = std::exchange(state_->last, this);
      if (before_ != nullptr) before_->after_ = this;
      return;
    }
  }
  state_.reset();
  wake(context);
}

CancelToken::Hook::~Hook() {
  if (!state_) return;
  std::unique_lock lock(state_->mutex);
  if (before_ != nullptr) before_->after_ = after_;
  if (after_ != nullptr) after_->before_ = before_;
  if (state_->last == this) state_->last = before_;
  // A wake running on another thread may still use its context, so wait for it; one running on this thread is
  // our own caller.
  if (state_->runner == std::this_thread::get_id()) return;
  state_->finished.wait(lock, [this] { return state_->running != this; });
}

CancelSource::CancelSource() : state_(std::make_shared<CancelToken::State>()) {}

bool CancelSource::cancelled() const noexcept {
  return state_ && state_->cancelled.load(std::memory_order_acquire);
}

void CancelSource::cancel() noexcept {
  if (!state_) return;        // moved from
  const auto alive = state_;  // a wake may destroy this source
  auto& state = *alive;
  std::unique_lock lock(state.mutex);
  if (state.cancelled.exchange(true, std::memory_order_acq_rel)) return;
  state.runner = std::this_thread::get_id();
  while (auto* const hook = state.last) {
    state.last = std::exchange(hook->before_, nullptr);
    if (state.last != nullptr) state.last->after_ = nullptr;
    state.running = hook;
    const auto wake = hook->wake_;
    auto* const context = hook->context_;
    lock.unlock();
    wake(context);  // which may destroy the hook
    lock.lock();
    state.running = nullptr;
    state.finished.notify_all();
  }
  state.runner = {};
}

}  // namespace inferwire::inline v0_1
