#include "client/loop/job.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "base/signals.hpp"
#include "base/thrown.hpp"
#include "client/call/call_log.hpp"

namespace inferwire::inline v0_1::client {

Job::Job(std::shared_ptr<detail::Core> core, std::shared_ptr<detail::Loop> loop, const CallOptions& options)
    : core_(std::move(core)),
      loop_(std::move(loop)),
      mark_(mark_of(options.label.value_or(""))),
      executor_(core_->executor_for(options)),
      callers_cancel_(options.cancel) {}

void Job::begin() {
  wake_on_stop_.emplace(cancel_.token(), &wake_job, this);
  stop_on_cancel_.emplace(callers_cancel_, &stop_job, this);
}

void Job::await(const Need& need) {
  loop_->set_timer(*this, need.until);
  awaits_exchange_ = need.exchange != nullptr;
  if (need.exchange != nullptr) {
    event_.reset();
    return;
  }
  event_.emplace(need.event, &wake_job, this);
  if (need.program && need.program != program_) run_program(need.program);
}

/// A program is waited for by a thread of its own.
void Job::run_program(const std::shared_ptr<Program>& program) {
  if (program_thread_.joinable()) program_thread_.join();
  program_ = program;
  const auto run = [this, program] {
    run_to_end(*program, core_->clock(), program->stop.token());
    wake();
  };
  try {
    const SignalsBlocked inherited;
    program_thread_ = std::thread(run);
  } catch (const std::system_error&) {  // the system has none to give: everybody waits
    run();
  }
}

void Job::finish() noexcept {
  stop_on_cancel_.reset();
  wake_on_stop_.reset();
  event_.reset();
  if (program_thread_.joinable()) program_thread_.join();  // what it waits for has been stopped
  loop_->remove(*this);
}

void Job::dispatch_user(Task task) {
  if (executor_) return post_user(executor_.get().get(), std::move(task), core_, mark_);
  if (loop_->is_here()) return call_user(task, core_.get(), mark_);
  Task there(
      [core = core_, mark = mark_, task = std::move(task)]() mutable { call_user(task, core.get(), mark); });
  if (!loop_->post(there)) there();
}

void Job::dispatch_last(Task task) {
  if (!executor_) return dispatch_user(std::move(task));
  post_last(executor_, std::move(task), core_, mark_);
}

void post_user(Executor* executor, Task task, std::shared_ptr<detail::Core> core, std::string mark) noexcept {
  if (executor == nullptr) return;
  const auto post = [&] {
    executor->post([core, mark, task = std::move(task)]() mutable { call_user(task, core.get(), mark); });
  };
  call_user(post, core.get(), mark);
}

void post_last(CallersExecutor& executor, Task task, std::shared_ptr<detail::Core> core,
               std::string mark) noexcept {
  const auto there = executor.let_go();
  if (!there) return call_user(task, core.get(), mark);
  post_user(there.get(), std::move(task), std::move(core), std::move(mark));
}

void log_thrown(detail::Core& core, std::string_view mark) noexcept {
  if (!core.logs(LogLevel::error)) return;
  try {
    auto line = std::string(mark) + thrown_by("a callback");
    keep_to_one_line(line);
    core.log()->write(LogLevel::error, line);
  } catch (...) {}  // for lack of memory
}

}  // namespace inferwire::inline v0_1::client
