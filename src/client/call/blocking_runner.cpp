#include "client/call/blocking_runner.hpp"

#include "client/core.hpp"
#include "client/drive_guarded.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace inferwire::inline v0_1::client {

namespace {

struct Bell {
  std::mutex mutex;
  std::condition_variable rung;
};

/// Under the lock, so that no notification is lost between checking the tokens and waiting.
void ring(void* context) {
  auto& bell = *static_cast<Bell*>(context);
  const std::lock_guard lock(bell.mutex);
  bell.rung.notify_all();
}

void wait_for_event(const CancelToken& event, const CancelToken& cancel, Clock& clock, TimePoint deadline) {
  Bell bell;
  const CancelToken::Hook on_event(event, &ring, &bell);
  const CancelToken::Hook on_cancel(cancel, &ring, &bell);
  std::unique_lock lock(bell.mutex);
  while (!cancel.cancelled() && !event.cancelled() && clock.now() < deadline) {
    clock.wait(lock, bell.rung, deadline);
  }
}

}  // namespace

BlockingRunner::BlockingRunner(const detail::Core& core)
    : transport_(core.transport()),
      clock_(core.clock()),
      transport_knows_clock_(&clock_ == &Clock::system() || !transport_.is_remote()) {}

void BlockingRunner::set_driven(Exchange* exchange) noexcept {
  const std::lock_guard lock(mutex_);
  driven_ = exchange;
}

/// The caller has set a flag before, which is checked before every drive.
void BlockingRunner::wake() noexcept {
  const std::lock_guard lock(mutex_);
  if (driven_ != nullptr && !driven_->wake()) transport_.wake();
}

void BlockingRunner::wait(const Need& need, const CancelToken& cancel) {
  if (need.exchange != nullptr) {
    struct Driven {
      ~Driven() { runner.set_driven(nullptr); }
      BlockingRunner& runner;
    } const driven{*this};
    set_driven(need.exchange);
    // A cancellation before `set_driven` woke no exchange.
    if (cancel.cancelled()) return;
    // A custom clock is checked every millisecond.
    const auto until =
        transport_knows_clock_ ? need.until : std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
    drive_guarded(*need.exchange, *need.sink, until);
  } else if (need.program) {
    run_to_end(*need.program, clock_, cancel);
  } else {
    wait_for_event(need.event, cancel, clock_, need.until);
  }
}

}  // namespace inferwire::inline v0_1::client
