/// \file
/// Where the user's callbacks of an asynchronous call run, and who hears of what they throw.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "client/core.hpp"
#include "inferwire/executor.hpp"

namespace inferwire::inline v0_1::client {

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

/// Runs the user's code of one call: by the executor of the call, if it has one. Whoever posts what holds the
/// call lets go of the executor, or it and its tasks, which it may never run, would hold each other; and
/// whoever posts the last task does, or a task could be the last to hold the executor that runs it.
class UserCallbacks {
 public:
  /// `core` is absent where the client was moved from.
  UserCallbacks(std::shared_ptr<detail::Core> core, const CallOptions& options);

  bool has_executor() const noexcept { return named_; }
  /// Whether there was one, which nobody holds any more: nobody runs its tasks.
  bool is_executor_gone() const noexcept;
  /// Whether `post_last` would call it here.
  bool is_called_here() const noexcept { return !named_ || is_executor_gone(); }
  /// Gives the executor back, as far as it still exists: who ends the call elsewhere uses it for as long as
  /// that is held.
  std::shared_ptr<Executor> let_go_of_executor() noexcept;

  const std::shared_ptr<detail::Core>& core() const noexcept { return core_; }
  /// Calls it here.
  template <class Function>
  void call(Function&& function) const noexcept {
    call_user(function, core_.get(), mark_);
  }
  /// Has the executor call it, unless that is gone.
  void post(Executor::Task task) noexcept;
  /// Has the executor call the last of it, and lets go of it; calls it where there is none, or it is gone:
  /// who asks for what is there already is told all the same.
  void post_last(Executor::Task task) noexcept;
  /// What calls it anywhere, whoever is gone by then.
  Executor::Task bound(Executor::Task task) const;

 private:
  void post_to(Executor& executor, Executor::Task task) const noexcept;

  const std::shared_ptr<detail::Core> core_;
  const std::string mark_;          ///< stands in front of the call's lines in the log
  mutable std::mutex mutex_;        // of `kept_`: `then` may be called while the loop lets go
  std::shared_ptr<Executor> kept_;  ///< runs the user's code; without one the loop's thread does
  const std::weak_ptr<Executor> known_;
  const bool named_;
};

}  // namespace inferwire::inline v0_1::client
