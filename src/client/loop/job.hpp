/// \file
/// A call on an event loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "client/call/runner.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/user_callbacks.hpp"

namespace inferwire::inline v0_1::client {

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
  detail::Core& core() const noexcept { return *callbacks_.core(); }
  /// The host that it calls, as far as limits are concerned.
  const std::string& host() const noexcept { return core().base_url().host; }
  /// Whether an exchange of its is under way.
  bool awaits_exchange() const noexcept { return awaits_exchange_; }

  // Runner
  Transport& transport() override { return loop_->transport_of(core()); }
  void wake() noexcept override { loop_->post(*this); }
  void heard() noexcept override { loop_->ready(*this); }
  TimePoint heard_until(TimePoint now) const noexcept override { return std::min(now, loop_->looked_at()); }
  bool enter() override { return loop_->enter(*this); }
  void exit() noexcept override { loop_->exit(*this); }

 protected:
  UserCallbacks& callbacks() noexcept { return callbacks_; }
  const std::shared_ptr<detail::Core>& shared_core() const noexcept { return callbacks_.core(); }
  /// Fires when the call is not wanted any more, whoever says so.
  CancelToken stopped() const noexcept { return cancel_.token(); }
  bool is_stopped() const noexcept { return cancel_.cancelled(); }
  bool has_executor() const noexcept { return callbacks_.has_executor(); }

  void await(const Need& need);
  void finish() noexcept;
  /// Runs code of the user's, there where it is to run: on the loop's thread or by the executor.
  void dispatch_user(Executor::Task task);
  /// Runs the last code of the user's, and lets go of the executor.
  void dispatch_last(Executor::Task task);
  /// Whether that would run on the calling thread.
  bool runs_user_here() const noexcept {
    return has_executor() ? callbacks_.is_executor_gone() : loop_->is_here();
  }

 private:
  friend class detail::Loop;

  static void stop_job(void* job) { static_cast<Job*>(job)->stop(); }
  static void wake_job(void* job) { static_cast<Job*>(job)->wake(); }
  void run_program(const std::shared_ptr<Program>& program);

  UserCallbacks callbacks_;
  std::shared_ptr<detail::Loop> loop_;
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

}  // namespace inferwire::inline v0_1::client
