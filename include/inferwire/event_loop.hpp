/// \file
/// The thread that asynchronous calls run on.
#pragma once

#include <cstddef>
#include <memory>

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

class Clock;

namespace detail {
class Loop;
}

/// How an event loop runs.
struct EventLoopOptions {
  /// How many calls to one host may be under way; others wait for their turn, during which only their timer
  /// `overall` runs: first come, first served over all clients of the loop. A call over HTTP/1.1 has a
  /// connection of its own. Absent: any number; 0 makes every call an Error{config}.
  Optional<std::size_t> max_calls_per_host{};
  /// How many calls to all hosts together may be under way; the rest is as for one host.
  Optional<std::size_t> max_calls{};
  /// The clock of all timers; absent: the machine's steady clock.
  std::shared_ptr<Clock> clock{};
};

/// A thread on which any number of calls make progress. A client has its own, unless it is given a shared
/// one: `ClientOptions::loop`. The thread starts with the first call and ends with the last client and
/// EventLoop.
///
/// Callbacks and coroutines run on it, under no lock, unless CallOptions::executor says otherwise. They
/// should not block: everything else on the loop waits meanwhile.
class INFERWIRE_API EventLoop {
 public:
  explicit EventLoop(EventLoopOptions options = {});
  /// Cancels the calls still under way, then ends the thread.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Whether the calling thread is the loop's.
  bool is_here() const noexcept;

  /// For the library's own use.
  detail::Loop& loop() const noexcept { return *loop_; }

 private:
  std::shared_ptr<detail::Loop> loop_;
};

}  // namespace inferwire::inline v0_1
