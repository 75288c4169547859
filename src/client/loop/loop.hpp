/// \file
/// The thread that runs asynchronous calls: its implementation.
#pragma once

#include "base/forks.hpp"
#include "client/leaving.hpp"
#include "client/loop/admission.hpp"
#include "client/loop/loop_transports.hpp"
#include "client/loop/timers.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/error.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace inferwire::inline v0_1::client {
class Job;
}

namespace inferwire::inline v0_1::detail {

class Core;

/// Runs jobs, each until it waits for something. A waiting job costs nothing until its exchange has news, its
/// timer fires or it is woken.
class Loop : public std::enable_shared_from_this<Loop> {
 public:
  explicit Loop(EventLoopOptions options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Functions for any thread.

  /// Starts the thread unless it is running. Errors: config (the system cannot create a thread).
  Result<void> start();
  /// Runs the job soon, and keeps it alive until then.
  void post(client::Job& job) noexcept;
  /// Calls `task`, which does not throw, on the loop's thread soon. False: that thread has ended or is lost,
  /// and `task` was not taken.
  bool post(Executor::Task& task);
  bool is_here() const noexcept { return std::this_thread::get_id() == id_.load(std::memory_order_relaxed); }
  Clock& clock() const noexcept { return clock_; }
  /// The clock from the options; nullptr: the system's.
  const std::shared_ptr<Clock>& given_clock() const noexcept { return options_.clock; }
  /// Whether the thread belongs to the process that forked: this process has none, and must not wait for it.
  bool is_lost() const noexcept {
    const auto before = started_after_.load(std::memory_order_relaxed);
    return before != not_started && before != forks();
  }
  /// The error of calls on a lost loop.
  static Error lost();
  /// Cancels the jobs of this core and waits for their end, except on the loop's own thread.
  [[gnu::cold]] void leave(Core& core);
  /// Cancels everything, and ends the thread once that is done; waits for it, except on that thread itself.
  void stop() noexcept;

  // Functions for the loop's own thread.

  /// The transport that starts the exchanges of this core. Errors: connection.
  Result<Transport*> transport_of(Core& core) { return transports_.transport_of(core); }
  /// The time of the last look at the sockets.
  TimePoint looked_at() const noexcept { return looked_at_; }
  /// Whether exchanges are being driven. User code may run inside one: none may be begun or ended then.
  bool is_driving() const noexcept { return driving_; }
  /// Runs the job in this round, or soon if it is new.
  void ready(client::Job& job) noexcept;
  /// Runs the job at `at` at the latest; TimePoint::max(): never.
  void set_timer(client::Job& job, TimePoint at) noexcept;
  /// Whether one more exchange of this job's core may begin; if not, the job runs when one may.
  bool enter(client::Job& job);
  /// The exchange is over, or will not begin.
  void exit(client::Job& job) noexcept;
  /// The job is over.
  void remove(client::Job& job) noexcept;

 private:
  void main();
  bool end() noexcept;
  bool goes_on() noexcept;
  bool is_asked() const noexcept;
  void take_posted();
  void make_room_for_posted();
  void list(client::Job& job) noexcept;
  void fire_timers();
  void run_ready();
  void finish_disconnects();
  void wait();
  void wait_by_given_clock(TimePoint deadline);
  bool awaits_sockets(const client::Job& job) const noexcept;
  void sleep_in_turns(TimePoint deadline);
  void sleep(Multiplexer& multiplexer, TimePoint deadline);
  void wake() noexcept;
  void cancel_all(const Core* core) noexcept;
  bool has_jobs(const Core* core) const noexcept;
  void let_next_enter() noexcept;

  const EventLoopOptions options_;
  Clock& clock_;
  std::atomic<std::thread::id> id_{};
  static constexpr unsigned not_started = static_cast<unsigned>(-1);
  std::atomic<unsigned> started_after_{not_started};  ///< the number of forks before the thread started

  std::mutex mutex_;  // guards what follows; in a child of fork(), another thread may have left it locked
  std::unique_ptr<std::thread> thread_;
  client::Job* posted_first_{};
  client::Job* posted_last_{};
  std::size_t posted_{};  ///< how many jobs are posted
  std::vector<Executor::Task> posted_tasks_;
  Leaving* leaving_{};  ///< the cores that asked to leave
  std::condition_variable disconnected_;
  bool stopping_asked_{};
  bool ended_{};              ///< nothing more is accepted
  Multiplexer* asleep_in_{};  ///< the multiplexer in which the thread waits; nullptr while it works

  // Used by the loop's own thread only.
  client::LoopTransports transports_;
  std::vector<std::shared_ptr<client::Job>> jobs_;
  std::vector<std::shared_ptr<client::Job>> taken_;  ///< jobs that were posted
  std::vector<client::Job*> ready_;
  std::vector<client::Job*> running_;
  client::Timers<client::Job> timers_;
  TimePoint looked_at_{TimePoint::min()};  ///< the last look at the sockets
  client::Admission<client::Job> admission_;
  Leaving* disconnects_{};  ///< the cores that leave
  bool stopping_{};
  bool driving_{};
  bool went_on_{};  ///< the last pass did not look at the sockets
};

}  // namespace inferwire::inline v0_1::detail
