#include "client/wait_for.hpp"

#include <condition_variable>
#include <mutex>

namespace inferwire::inline v0_1::client {

namespace {

struct Bell {
  std::mutex mutex;
  std::condition_variable rung;
};

/// Under the lock, so that no ring falls between a look at the tokens and the wait that follows.
void ring(void* context) {
  auto& bell = *static_cast<Bell*>(context);
  const std::lock_guard lock(bell.mutex);
  bell.rung.notify_all();
}

}  // namespace

Waited wait_for(const CancelToken& event, const CancelToken& cancel, Clock& clock, TimePoint deadline) {
  Bell bell;
  const CancelToken::Hook on_event(event, &ring, &bell);
  const CancelToken::Hook on_cancel(cancel, &ring, &bell);
  std::unique_lock lock(bell.mutex);
  for (;;) {
    if (cancel.cancelled()) return Waited::cancelled;
    if (event.cancelled()) return Waited::fired;
    if (clock.now() >= deadline) return Waited::deadline;
    clock.wait(lock, bell.rung, deadline);
  }
}

}  // namespace inferwire::inline v0_1::client
