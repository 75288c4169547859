/// \file
/// A call on an event loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "client/call/runner.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"

namespace inferwire::inline v0_1::client {

/// The executor of a call, if it has one. Whoever posts what holds the call lets go of it, or it and its
/// tasks, which it may never run, would hold each other; and whoever posts the last task does, or a task
/// could be the last to hold the executor that runs it.
class CallersExecutor {
 public:
  explicit CallersExecutor(std::shared_ptr<Executor> executor)
      : known_(executor), named_(executor != nullptr), kept_(std::move(executor)) {}

  explicit operator bool() const noexcept { return named_; }
  /// Whether there was one, which nobody holds any more: nobody runs its tasks.
  bool is_gone() const noexcept {
    const std::lock_guard lock(mutex_);
    return named_ && !kept_ && known_.expired();
  }
  /// nullptr where it is gone.
  std::shared_ptr<Executor> get() const noexcept {
    const std::lock_guard lock(mutex_);
    return kept_ ? kept_ : known_.lock();
  }
  std::shared_ptr<Executor> let_go() noexcept {
    const std::lock_guard lock(mutex_);
    return kept_ ? std::exchange(kept_, nullptr) : known_.lock();
  }

 private:
  const std::weak_ptr<Executor> known_;
  const bool named_;
  mutable std::mutex mutex_;  // of what follows: `then` may be called while the loop lets go
  std::shared_ptr<Executor> kept_;
};

/// Runs on its loop's thread only, but for what is said to be for any thread. Shared by the loop, for as long
/// as the call runs, and by whoever waits for it.
class Job : public Runner, public std::enable_shared_from_this<Job> {
 public:
  Job(std::shared_ptr<detail::Core> core, std::shared_ptr<detail::Loop> loop, const CallOptions& options);

  /// The loop takes it on.
  void begin();
  /// Takes the call as far as it goes, then says by `await` what it waits for, or by `finish` that it is
  /// over.
  virtual void run() = 0;

  /// Has the call end as a cancelled one. From any thread.
  void stop() noexcept { cancel_.cancel(); }
  detail::Loop& loop() const noexcept { return *loop_; }
  detail::Core& core() const noexcept { return *core_; }
  /// The host that it calls, as far as limits are concerned.
  const std::string& host() const noexcept { return core_->base_url().host; }
  /// Whether an exchange of its is under way.
  bool awaits_exchange() const noexcept { return awaits_exchange_; }

  // Runner
  Transport& transport() override { return loop_->transport_of(*core_); }
  void wake() noexcept override { loop_->post(*this); }
  void heard() noexcept override { loop_->ready(*this); }
  TimePoint heard_until(TimePoint now) const noexcept override { return std::min(now, loop_->looked_at()); }
  bool enter() override { return loop_->enter(*this); }
  void exit() noexcept override { loop_->exit(*this); }

 protected:
  std::string_view mark() const noexcept { return mark_; }
  const std::shared_ptr<detail::Core>& shared_core() const noexcept { return core_; }
  /// Fires when the call is not wanted any more, whoever says so.
  CancelToken stopped() const noexcept { return cancel_.token(); }
  bool is_stopped() const noexcept { return cancel_.cancelled(); }
  bool has_executor() const noexcept { return bool(executor_); }

  void await(const Need& need);
  void finish() noexcept;
  /// Runs code of the user's, there where it is to run: on the loop's thread or by the executor.
  void dispatch_user(Task task);
  /// Runs the last code of the user's, and lets go of the executor.
  void dispatch_last(Task task);
  /// Whether that would run on the calling thread.
  bool runs_user_here() const noexcept { return executor_ ? is_executor_gone() : loop_->is_here(); }
  void let_go_of_executor() noexcept { executor_.let_go(); }
  /// Whether it has an executor that nobody holds any more.
  bool is_executor_gone() const noexcept { return executor_.is_gone(); }

 private:
  friend class detail::Loop;

  static void stop_job(void* job) { static_cast<Job*>(job)->stop(); }
  static void wake_job(void* job) { static_cast<Job*>(job)->wake(); }
  void run_program(const std::shared_ptr<Program>& program);

  std::shared_ptr<detail::Core> core_;
  std::shared_ptr<detail::Loop> loop_;
  std::string mark_;          ///< stands in front of the call's lines in the log
  CallersExecutor executor_;  ///< runs the user's code; without one the loop's thread does
  CancelSource cancel_;
  CancelToken callers_cancel_;
  // From `begin` to `finish`: nothing is heard of tokens while this is made or destroyed.
  std::optional<CancelToken::Hook> stop_on_cancel_;
  std::optional<CancelToken::Hook> wake_on_stop_;
  std::optional<CancelToken::Hook> event_;  ///< the event that it waits for
  std::shared_ptr<Program> program_;        ///< the one that runs for it
  std::thread program_thread_;
  bool awaits_exchange_{};

  // The loop's notes.
  static constexpr std::size_t not_listed = static_cast<std::size_t>(-1);
  Job* next_posted_{};
  std::shared_ptr<Job> alive_while_posted_;
  bool posted_{};  ///< guarded by the loop's mutex
  bool ready_{};   ///< in the list of this round
  bool over_{};
  std::size_t index_{not_listed};                                  ///< among the loop's jobs
  std::optional<std::multimap<TimePoint, Job*>::iterator> timer_;  ///< fires at `due_` or earlier
  TimePoint fires_{TimePoint::max()};  ///< when `timer_` does; kept here, since most timers only move on
  TimePoint due_{TimePoint::max()};
};

/// Tells the log of the exception that is being handled, behind the mark of the call.
void log_thrown(detail::Core& core, std::string_view mark) noexcept;

/// Calls code of the user's. What it throws goes to the log, since nobody else is there to take it; without a
/// core there is no log.
template <class Function>
void call_user(Function&& function, detail::Core* core, std::string_view mark = {}) noexcept {
  try {
    function();
  } catch (...) {
    if (core != nullptr) log_thrown(*core, mark);
  }
}

/// Has the executor call it, unless that is gone.
void post_user(Executor* executor, Task task, std::shared_ptr<detail::Core> core, std::string mark) noexcept;
/// Has the executor call the last code of the user's, and lets go of it; calls it where there is none, or it
/// is gone: who asks for what is there already is told all the same.
void post_last(CallersExecutor& executor, Task task, std::shared_ptr<detail::Core> core,
               std::string mark) noexcept;

}  // namespace inferwire::inline v0_1::client
