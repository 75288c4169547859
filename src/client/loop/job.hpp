/// \file
/// A call on an event loop.
#pragma once

#include "client/call/need.hpp"
#include "client/call/runner.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/timers.hpp"
#include "client/loop/user_callbacks.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Runs on its loop's thread only, except for functions marked "from any thread". Shared by the loop while
/// the call runs, and by the handle that waits for it.
class Job : public Runner, public std::enable_shared_from_this<Job> {
 public:
  Job(detail::Core& core, std::shared_ptr<detail::Loop> loop, const CallOptions& options);

  /// Called when the loop adds it.
  void begin();
  /// Advances the call as far as possible, then calls `await` with what it waits for, or `finish`. The first
  /// run, soon after `begin`, creates a Call, which has this run again when it is stopped.
  virtual void run() = 0;

  /// Ends the call as cancelled. From any thread.
  void stop() noexcept { cancel_.cancel(); }
  detail::Loop& loop() const noexcept { return *loop_; }
  detail::Core& core() const noexcept { return *callbacks_.core(); }
  /// The host that it calls, for limits per host.
  const std::string& host() const noexcept { return core().base_url().host; }
  /// Its timer among the loop's.
  Timers<Job>::Timer& timer() noexcept { return timer_; }
  /// Whether one of its exchanges is in progress.
  bool awaits_exchange() const noexcept { return awaits_exchange_; }

  // Runner
  Result<Transport*> transport() override { return loop_->transport_of(core()); }
  void wake() noexcept override { loop_->post(*this); }
  void heard() noexcept override { loop_->ready(*this); }
  TimePoint heard_until(TimePoint now) const noexcept override { return std::min(now, loop_->looked_at()); }
  bool enter() override { return loop_->enter(*this); }
  void exit() noexcept override { loop_->exit(*this); }

 protected:
  UserCallbacks& callbacks() noexcept { return callbacks_; }
  const std::shared_ptr<detail::Core>& shared_core() const noexcept { return callbacks_.core(); }
  /// Fires when the call is cancelled or stopped.
  CancelToken stopped() const noexcept { return cancel_.token(); }
  bool is_stopped() const noexcept { return cancel_.cancelled(); }
  bool has_executor() const noexcept { return callbacks_.has_executor(); }

  void await(const Need& need);
  void finish() noexcept;
  /// Runs user code where it belongs: on the loop's thread or by the executor.
  void dispatch_user(Executor::Task task);
  /// Runs the last user code, and releases the executor.
  void dispatch_last(Executor::Task task);
  /// Whether user code would run on the calling thread.
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
  // Set from `begin` to `finish`: the token does not notify this during construction and destruction.
  std::optional<CancelToken::Hook> stop_on_cancel_;
  std::optional<CancelToken::Hook> event_;  ///< the event that it waits for
  std::shared_ptr<Program> program_;        ///< the program that runs for it
  std::thread program_thread_;
  bool awaits_exchange_{};

  // Bookkeeping of the loop.
  static constexpr std::size_t not_listed = static_cast<std::size_t>(-1);
  Job* next_posted_{};
  std::shared_ptr<Job> alive_while_posted_;  ///< guarded by the loop's mutex
  bool ready_{};                             ///< in the list of this round
  bool over_{};
  std::size_t index_{not_listed};  ///< among the loop's jobs
  Timers<Job>::Timer timer_;
};

}  // namespace inferwire::inline v0_1::client
