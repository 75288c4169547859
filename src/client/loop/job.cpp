#include "client/loop/job.hpp"

#include "base/own_thread.hpp"

#include <exception>
#include <utility>

namespace inferwire::inline v0_1::client {

Job::Job(detail::Core& core, std::shared_ptr<detail::Loop> loop, const CallOptions& options)
    : callbacks_(&core, options), loop_(std::move(loop)), callers_cancel_(options.cancel) {}

void Job::begin() { stop_on_cancel_.emplace(callers_cancel_, &stop_job, this); }

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

/// A separate thread waits for the program.
void Job::run_program(const std::shared_ptr<Program>& program) {
  if (program_thread_.joinable()) program_thread_.join();
  program_ = program;
  const auto run = [this, program] {
    run_to_end(*program, core().clock(), program->stop.token());
    wake();
  };
  try {
    program_thread_ = start_thread(run);
  } catch (const std::exception&) {  // no thread, or no memory for one: the loop itself waits
    run();
  }
}

void Job::finish() noexcept {
  stop_on_cancel_.reset();
  event_.reset();
  if (program_thread_.joinable()) program_thread_.join();  // the program was stopped
  loop_->remove(*this);
}

void Job::dispatch_user(Executor::Task task) {
  if (has_executor()) return callbacks_.post(std::move(task));
  if (loop_->is_here()) return callbacks_.call(task);
  auto there = callbacks_.bound(std::move(task));
  if (!loop_->post(there)) there();
}

void Job::dispatch_last(Executor::Task task) {
  return has_executor() ? callbacks_.post_last(std::move(task)) : dispatch_user(std::move(task));
}

}  // namespace inferwire::inline v0_1::client
