#include "inferwire/pending.hpp"

#include "base/saturating_time.hpp"
#include "client/loop/trampoline.hpp"
#include "client/loop/user_callbacks.hpp"

#include <condition_variable>
#include <mutex>

namespace inferwire::inline v0_1::detail {

/// What happens when the result is ready: a continuation, or a notification of the combined result it is part
/// of.
struct INFERWIRE_PRIVATE PendingCore::Next {
  /// Another waiter has taken its place, or nothing will be ready. May run user code.
  void give_way() const {
    if (whole) whole->displaced();
  }

  Executor::Task continuation{};
  std::shared_ptr<PendingCore> whole{};
  std::size_t place{};
};

struct INFERWIRE_PRIVATE PendingCore::Sync {
  /// Swaps `with` for what waited before, which is destroyed outside the lock. False: the result is ready.
  bool wait_with(Next& with) {
    const std::lock_guard lock(mutex);
    if (!ready) std::swap(next, with);
    return !ready;
  }

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool ready{};
  bool abandoned{};
  Next next;
  void (*resume)(void*){};
  void* coroutine{};  ///< the coroutine to resume, while it waits

  std::shared_ptr<void> owner;  // used by the owner of the handle
};

PendingCore::PendingCore() : sync_(std::make_unique<Sync>()) {}
PendingCore::~PendingCore() = default;

bool PendingCore::ready() const noexcept {
  const std::lock_guard lock(sync_->mutex);
  return sync_->ready;
}

bool PendingCore::wait(const Optional<Duration>& limit) {
  end_if_lost();
  const bool would_block_itself = is_here();
  std::unique_lock lock(sync_->mutex);
  const auto is_ready = [this] { return sync_->ready; };
  // Waiting until a time that has come takes tens of microseconds too.
  const bool polls = limit && *limit <= Duration::zero();
  if (is_ready() || would_block_itself || polls) return is_ready();
  const auto until = limit ? after(std::chrono::steady_clock::now(), *limit) : TimePoint::max();
  if (until != TimePoint::max()) return sync_->changed.wait_until(lock, until, is_ready);
  sync_->changed.wait(lock, is_ready);
  return true;
}

bool PendingCore::when_ready(void (*resume)(void*), void* coroutine) {
  end_if_lost();
  Next next{.continuation =
                Executor::Task([](void* core) { static_cast<PendingCore*>(core)->go_on(); }, this)};
  {
    const std::lock_guard lock(sync_->mutex);
    if (sync_->ready) return false;
    std::swap(sync_->next, next);
    sync_->resume = resume;
    sync_->coroutine = coroutine;
  }
  // The coroutine may have been resumed by now, and this object be gone.
  next.give_way();
  return true;
}

void PendingCore::withdraw(void* coroutine) noexcept {
  const std::lock_guard lock(sync_->mutex);
  if (sync_->coroutine == coroutine) sync_->coroutine = nullptr;
}

/// The waiting coroutine may be gone by the time that an executor runs this.
void PendingCore::go_on() {
  std::unique_lock lock(sync_->mutex);
  void* const coroutine = std::exchange(sync_->coroutine, nullptr);
  const auto resume = sync_->resume;
  lock.unlock();
  if (coroutine != nullptr) resume(coroutine);
}

void PendingCore::then(Executor::Task continuation) {
  end_if_lost();
  Next next{.continuation = std::move(continuation)};
  if (sync_->wait_with(next)) return next.give_way();
  if (!dispatches_here()) return dispatch(std::move(next.continuation));
  // The continuation keeps this alive.
  client::run_on_trampoline(
      [this, last = std::move(next.continuation)]() mutable { dispatch(std::move(last)); });
}

void PendingCore::call(Executor::Task continuation) noexcept { client::call_user(continuation, nullptr); }

bool PendingCore::join(std::shared_ptr<PendingCore>& whole, std::size_t place) {
  Next next{.whole = std::move(whole), .place = place};
  const bool joined = sync_->wait_with(next);
  whole = joined ? std::move(next.whole) : nullptr;
  return joined;
}

void PendingCore::displaced() {}
void PendingCore::end_if_lost() {}

void PendingCore::own(std::shared_ptr<void> owner) noexcept { sync_->owner = std::move(owner); }
void PendingCore::release_owner() noexcept { sync_->owner.reset(); }
Executor::Task PendingCore::keeping(std::shared_ptr<void> owner, Executor::Task continuation) noexcept {
  return client::task_of(
      [owner = std::move(owner), continuation = std::move(continuation)]() mutable { continuation(); });
}

void PendingCore::on_abandoned() noexcept { cancel(); }
Executor::Task PendingCore::arrived(std::size_t) { return {}; }

void PendingCore::abandon() noexcept {
  Next forgotten;
  {
    const std::lock_guard lock(sync_->mutex);
    sync_->abandoned = true;
    sync_->coroutine = nullptr;
    std::swap(forgotten, sync_->next);
    if (sync_->ready) return;
  }
  on_abandoned();
  forgotten.give_way();
}

Executor::Task PendingCore::settle(void (*store)(void*), void* context) {
  Next next;
  {
    const std::lock_guard lock(sync_->mutex);
    if (!sync_->abandoned) store(context);
    sync_->ready = true;
    std::swap(next, sync_->next);
  }
  sync_->changed.notify_all();  // after unlocking, so that threads it wakes need not wait for the mutex
  return next.whole ? next.whole->arrived(next.place) : std::move(next.continuation);
}

}  // namespace inferwire::inline v0_1::detail
