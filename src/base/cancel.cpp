#include "inferwire/cancel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace inferwire::inline v0_1 {

/// Shared by a source, its tokens and their hooks.
struct INFERWIRE_PRIVATE CancelToken::State {
  struct Entry {
    unsigned long long id;
    void (*wake)(void*);
    void* context;
  };

  std::atomic<bool> cancelled{false};

  std::mutex mutex;                  // guards what follows
  std::condition_variable finished;  // a wake has returned
  std::vector<Entry> entries;
  unsigned long long next_id{1};
  unsigned long long running{};  // id of the hook whose wake runs, 0 for none
  std::thread::id runner;
};

bool CancelToken::cancelled() const noexcept {
  return state_ && state_->cancelled.load(std::memory_order_acquire);
}

CancelToken::Hook::Hook(const CancelToken& token, void (*wake)(void*), void* context) : state_(token.state_) {
  if (!state_) return;
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->cancelled.load(std::memory_order_acquire)) {
      id_ = state_->next_id++;
      state_->entries.push_back({id_, wake, context});
      return;
    }
  }
  wake(context);
}

CancelToken::Hook::~Hook() {
  if (!state_ || id_ == 0) return;
  std::unique_lock lock(state_->mutex);
  std::erase_if(state_->entries, [this](const auto& entry) { return entry.id == id_; });
  // A wake running on another thread may still use its context, so wait for it; one running on this thread is
  // our own caller.
  if (state_->runner == std::this_thread::get_id()) return;
  state_->finished.wait(lock, [this] { return state_->running != id_; });
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
  while (!state.entries.empty()) {
    const auto entry = state.entries.back();
    state.entries.pop_back();
    state.running = entry.id;
    lock.unlock();
    entry.wake(entry.context);
    lock.lock();
    state.running = 0;
    state.finished.notify_all();
  }
  state.runner = {};
}

}  // namespace inferwire::inline v0_1
