#include "client/loop/job.hpp"

#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::client {

Job::Job(std::shared_ptr<detail::Core> core, std::shared_ptr<detail::Loop> loop, const CallOptions& options)
    : core_(std::move(core)),
      loop_(std::move(loop)),
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
  if (executor_) return post_user(executor_.get().get(), std::move(task), core_);
  if (loop_->is_here()) return call_user(task, core_.get());
  Task there([core = core_, task = std::move(task)]() mutable { call_user(task, core.get()); });
  if (!loop_->post(there)) there();
}

void Job::dispatch_last(Task task) {
  if (!executor_) return dispatch_user(std::move(task));
  post_last(executor_, std::move(task), core_);
}

void post_user(Executor* executor, Task task, std::shared_ptr<detail::Core> core) noexcept {
  if (executor == nullptr) return;
  const auto post = [&] {
    executor->post([core, task = std::move(task)]() mutable { call_user(task, core.get()); });
  };
  call_user(post, core.get());
}

void post_last(CallersExecutor& executor, Task task, std::shared_ptr<detail::Core> core) noexcept {
  const auto there = executor.let_go();
  if (!there) return call_user(task, core.get());
  post_user(there.get(), std::move(task), std::move(core));
}

void log_thrown(detail::Core& core) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    if (core.logs(LogLevel::error)) {
      core.log()->write(LogLevel::error, std::string("a callback threw: ") + error.what());
    }
  } catch (...) {
    if (core.logs(LogLevel::error)) core.log()->write(LogLevel::error, "a callback threw");
  }
}

}  // namespace inferwire::inline v0_1::client
