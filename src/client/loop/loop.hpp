/// \file
/// The thread that asynchronous calls run on, from the inside.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "client/loop/admission.hpp"
#include "client/loop/loop_transports.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/event_loop.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {
class Job;
}

namespace inferwire::inline v0_1::detail {

class Core;

/// Runs jobs: each until it waits for something. What waits costs nothing until its exchange has news, its
/// timer fires or somebody wakes it.
class Loop : public std::enable_shared_from_this<Loop> {
 public:
  explicit Loop(EventLoopOptions options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // From any thread.

  /// Starts the thread if it does not run yet. Errors: config (the system gives no thread).
  Result<void> start();
  /// Runs the job soon. It lives at least until then.
  void post(client::Job& job) noexcept;
  /// Calls `task`, which does not throw, on the loop's thread soon. False: that thread has ended, and the
  /// task is still the caller's.
  bool post(Executor::Task& task);
  bool is_here() const noexcept { return std::this_thread::get_id() == id_.load(std::memory_order_relaxed); }
  Clock& clock() const noexcept { return clock_; }
  /// The clock that the options have; nullptr: the machine's.
  const std::shared_ptr<Clock>& given_clock() const noexcept { return options_.clock; }
  /// Whether the thread is one of the process that forked: here there is none, and nobody may wait for it.
  bool is_lost() noexcept;
  /// Cancels the jobs of this core and waits until they are over, except on the loop's own thread.
  void leave(Core& core);
  /// Cancels everything, and ends the thread once that is done; waits for it, except on the thread itself.
  void stop() noexcept;

  // On the loop's own thread.

  /// The transport on which exchanges of this core are started.
  Transport& transport_of(Core& core) { return transports_.transport_of(core); }
  /// The time at which the sockets were looked at last.
  TimePoint looked_at() const noexcept { return looked_at_; }
  /// Runs the job in this round.
  void ready(client::Job& job) noexcept;
  /// Runs the job when `at` has come, at the latest; TimePoint::max() for never.
  void set_timer(client::Job& job, TimePoint at);
  /// Whether one more exchange of this job's core may begin; if not, the job is run when one may.
  bool enter(client::Job& job);
  /// The exchange is over, or is not to begin any more.
  void exit(client::Job& job) noexcept;
  /// The job is over.
  void remove(client::Job& job) noexcept;

 private:
  /// A core that leaves the loop, as soon as its last job has ended.
  struct Disconnect {
    Core* core{};
    bool* done{};  ///< under the lock; somebody waits for it
    std::shared_ptr<Core>
        alive{};  ///< set where nobody holds it: another core may not get its address meanwhile
  };

  bool is_parents() const noexcept;
  void main();
  bool end() noexcept;
  bool is_asked() const noexcept;
  void take_posted();
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

  std::mutex mutex_;  // guards what follows
  std::unique_ptr<std::thread> thread_;
  unsigned started_after_{};  ///< how many forks there had been
  client::Job* posted_first_{};
  client::Job* posted_last_{};
  std::vector<Executor::Task> posted_tasks_;
  std::vector<Disconnect> posted_disconnects_;
  std::condition_variable disconnected_;
  bool stopping_asked_{};
  bool ended_{};              ///< nothing is taken any more
  Multiplexer* asleep_in_{};  ///< what the thread waits in; nullptr while it works

  // The loop's own thread's.
  client::LoopTransports transports_;
  std::vector<std::shared_ptr<client::Job>> jobs_;
  std::vector<std::shared_ptr<client::Job>> taken_;  ///< taken from what was posted
  std::vector<client::Job*> ready_;
  std::vector<client::Job*> running_;
  std::multimap<TimePoint, client::Job*> timers_;
  TimePoint looked_at_{TimePoint::min()};  ///< the sockets, last
  client::Admission<client::Job> admission_;
  std::vector<Disconnect> disconnects_;
  bool stopping_{};
};

}  // namespace inferwire::inline v0_1::detail
