#include "inferwire/pending.hpp"

#include <condition_variable>
#include <mutex>

#include "client/deadline.hpp"

namespace inferwire::inline v0_1::detail {

struct PendingCore::Sync {
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool ready{};
  bool abandoned{};
  Task continuation;
};

PendingCore::PendingCore() : sync_(std::make_unique<Sync>()) {}
PendingCore::~PendingCore() = default;

bool PendingCore::ready() const noexcept {
  const std::lock_guard lock(sync_->mutex);
  return sync_->ready;
}

bool PendingCore::wait(const Optional<Duration>& limit) {
  const bool would_block_itself = is_here();
  std::unique_lock lock(sync_->mutex);
  const auto is_ready = [this] { return sync_->ready; };
  if (is_ready() || would_block_itself) return is_ready();
  const auto until = limit ? client::after(std::chrono::steady_clock::now(), *limit) : TimePoint::max();
  if (until != TimePoint::max()) return sync_->changed.wait_until(lock, until, is_ready);
  sync_->changed.wait(lock, is_ready);
  return true;
}

bool PendingCore::when_ready(Task continuation) {
  const std::lock_guard lock(sync_->mutex);
  if (sync_->ready) return false;
  std::swap(sync_->continuation, continuation);
  return true;
}

void PendingCore::then(Task continuation) {
  {
    const std::lock_guard lock(sync_->mutex);
    if (!sync_->ready) {
      std::swap(sync_->continuation, continuation);
      return;
    }
  }
  dispatch(std::move(continuation));
}

void PendingCore::abandon() noexcept {
  Task forgotten;
  {
    const std::lock_guard lock(sync_->mutex);
    sync_->abandoned = true;
    std::swap(forgotten, sync_->continuation);
    if (sync_->ready) return;
  }
  cancel();
}

bool PendingCore::abandoned() const noexcept {
  const std::lock_guard lock(sync_->mutex);
  return sync_->abandoned;
}

void PendingCore::complete(void (*store)(void*), void* context) {
  Task continuation;
  {
    const std::lock_guard lock(sync_->mutex);
    if (!sync_->abandoned) store(context);
    sync_->ready = true;
    std::swap(continuation, sync_->continuation);
  }
  sync_->changed.notify_all();  // whoever it wakes need not wait for the mutex then
  if (continuation) dispatch(std::move(continuation));
}

}  // namespace inferwire::inline v0_1::detail
