#include "client/loop/user_callbacks.hpp"

#include "base/controls.hpp"
#include "base/thrown.hpp"
#include "client/call/call_log.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// The executor for callbacks of a call with these options; nullptr: they run on the loop's thread.
std::shared_ptr<Executor> executor_for(const detail::Core* core, const CallOptions& options) {
  const auto& named = options.executor || core == nullptr ? options.executor : core->executor();
  return named == Executor::on_loop() ? nullptr : named;
}

}  // namespace

UserCallbacks::UserCallbacks(detail::Core* core, const CallOptions& options)
    : core_(core != nullptr ? core->shared_from_this() : nullptr),
      mark_(mark_of(options.label.value_or(""))),
      kept_(executor_for(core, options)),
      known_(kept_),
      named_(kept_ != nullptr) {}

bool UserCallbacks::is_executor_gone() const noexcept {
  const std::lock_guard lock(mutex_);
  return named_ && !kept_ && known_.expired();
}

std::shared_ptr<Executor> UserCallbacks::let_go_of_executor() noexcept {
  const std::lock_guard lock(mutex_);
  return kept_ ? std::exchange(kept_, nullptr) : known_.lock();
}

void UserCallbacks::post(Executor::Task task) noexcept {
  std::unique_lock lock(mutex_);
  const auto there = kept_ ? kept_ : known_.lock();
  lock.unlock();
  if (there) post_to(*there, std::move(task));
}

void UserCallbacks::post_last(Executor::Task task) noexcept {
  const auto there = let_go_of_executor();
  return there ? post_to(*there, std::move(task)) : call(task);
}

void UserCallbacks::post_to(Executor& executor, Executor::Task task) const noexcept {
  call([&] { executor.post(bound(std::move(task))); });
}

Executor::Task UserCallbacks::bound(Executor::Task task) const noexcept {
  return task_of([core = core_, mark = patiently([this] { return mark_; }),
                  task = std::move(task)]() mutable { call_user(task, core.get(), mark); });
}

void log_thrown(detail::Core& core, std::string_view mark) noexcept {
  if (!core.logs(LogLevel::error)) return;
  try {
    core.log()->write(LogLevel::error, utf8::one_line(std::string(mark) + thrown_by("a callback")));
  } catch (...) {}  // for lack of memory
}

}  // namespace inferwire::inline v0_1::client
