/// \file
/// Runs the user's callbacks of an asynchronous call, and logs what they throw.
#pragma once

#include "client/core.hpp"
#include "inferwire/executor.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace inferwire::inline v0_1::client {

/// What `make` returns, as soon as there is memory for it: for what must not be lost where no one can be told
/// of that.
template <class Make>
auto patiently(Make make) noexcept {
  for (;;) {
    try {
      return make();
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

/// A task that calls `function`, made patiently.
template <class Function>
Executor::Task task_of(Function function) noexcept {
  return patiently([&function] { return Executor::Task(std::move(function)); });
}

/// Logs the exception that is being handled, prefixed with the mark of the call.
void log_thrown(detail::Core& core, std::string_view mark) noexcept;

/// Calls user code. Exceptions from it go to the log, since no caller could handle them; without a core there
/// is no log.
template <class Function>
void call_user(Function&& function, detail::Core* core, std::string_view mark = {}) noexcept {
  try {
    function();
  } catch (...) {
    if (core != nullptr) log_thrown(*core, mark);
  }
}

/// Runs the user code of one call, on the call's executor if it has one. Code that posts a task which owns
/// the call must release the executor: otherwise the executor and its tasks, which it may never run, would
/// own each other. So must code that posts the last task, or a task could own the last reference to its
/// executor.
class UserCallbacks {
 public:
  /// Keeps the core, but not its client, so that the loop's calls end when the last handle is destroyed.
  /// `core` is null if the client was moved from.
  UserCallbacks(detail::Core* core, const CallOptions& options);

  bool has_executor() const noexcept { return named_; }
  /// Whether there was an executor and it has been destroyed: its tasks are not run.
  bool is_executor_gone() const noexcept;
  /// Whether `post_last` would call its task on this thread.
  bool is_called_here() const noexcept { return !named_ || is_executor_gone(); }
  /// Releases the executor and returns it if it still exists. While the caller holds it, other threads that
  /// end the call can still use it.
  std::shared_ptr<Executor> let_go_of_executor() noexcept;

  const std::shared_ptr<detail::Core>& core() const noexcept { return core_; }
  /// Calls it on this thread.
  template <class Function>
  void call(Function&& function) const noexcept {
    call_user(function, core_.get(), mark_);
  }
  /// Posts the task to the executor, unless that has been destroyed.
  void post(Executor::Task task) noexcept;
  /// Posts the last task to the executor and releases it. If there is none, or it has been destroyed, calls
  /// the task on this thread, so that a result that is already there is still delivered.
  void post_last(Executor::Task task) noexcept;
  /// A task that calls it and logs what it throws, on any thread and even after this object is destroyed.
  Executor::Task bound(Executor::Task task) const noexcept;

 private:
  void post_to(Executor& executor, Executor::Task task) const noexcept;

  const std::shared_ptr<detail::Core> core_;
  const std::string mark_;          ///< prefix of the call's log lines
  mutable std::mutex mutex_;        // guards `kept_`: `then` may be called while the loop releases it
  std::shared_ptr<Executor> kept_;  ///< runs the user code; without one the loop's thread does
  const std::weak_ptr<Executor> known_;
  const bool named_;
};

}  // namespace inferwire::inline v0_1::client
