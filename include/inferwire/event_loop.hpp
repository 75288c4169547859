/// \file
/// The thread that asynchronous calls run on.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

#include <cstddef>
#include <memory>

namespace inferwire::inline v0_1 {

class Clock;

namespace detail {
class Core;
class Loop;
}  // namespace detail

/// Options of an event loop.
struct EventLoopOptions {
  /// The maximum number of concurrent calls to one host; further calls wait for their turn, first come, first
  /// served among all clients of the loop. While a call waits, only its timer `overall` runs. A call over
  /// HTTP/1.1 has a connection of its own. Absent: no limit; 0 makes every call an Error{config}.
  Optional<std::size_t> max_calls_per_host{};
  /// The maximum number of concurrent calls to all hosts together; otherwise like `max_calls_per_host`.
  Optional<std::size_t> max_calls{};
  /// The clock of all timers; absent: the machine's steady clock.
  std::shared_ptr<Clock> clock{};
};

/// A thread on which any number of calls make progress. A client has its own loop, unless it is given a
/// shared one by `ClientOptions::loop`. The thread starts with the first call, and ends when the EventLoop
/// and all clients on it are destroyed.
///
/// Callbacks and coroutines run on this thread, without a lock held, unless CallOptions::executor or
/// ClientOptions::executor says otherwise. They should not block: everything else on the loop waits
/// meanwhile.
class INFERWIRE_API EventLoop {
 public:
  explicit EventLoop(EventLoopOptions options = {});
  /// Cancels the calls still in progress, then ends the thread.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Whether the calling thread is the loop's.
  bool is_here() const noexcept;

 private:
  friend class detail::Core;
  detail::Loop& loop() const noexcept { return *loop_; }

  std::shared_ptr<detail::Loop> loop_;
};

}  // namespace inferwire::inline v0_1
