#include "client/tools/shared_calls.hpp"

#include "base/ended_call.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {
// A model decides how many calls there are, and an executor may begin a thread for each task.
constexpr std::size_t most_at_once = 64;
}  // namespace

void SharedCalls::share(Executor& executor) {
  const auto helpers = std::min(calls_.size(), most_at_once);
  for (std::size_t helper = 1; helper < helpers; ++helper) {
    try {
      executor.post([self = shared_from_this()] { self->help(); });
    } catch (...) {  // the calling thread runs what nobody else does
      return;
    }
  }
}

void SharedCalls::finish() {
  help();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return running_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void SharedCalls::help() {
  std::unique_lock lock(mutex_);
  while (next_ < calls_.size()) {
    CalledTool& call = calls_[next_++];
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      run(call);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = std::move(failure);
    if (--running_ == 0) ended_.notify_one();
  }
}

void SharedCalls::run(CalledTool& call) const {
  // For lack of memory, a call stays as it was.
  if (cancel_.cancelled()) {
    std::string told = "The call was not made: the program cancelled it.";
    call.error = cancelled();
    call.result = std::move(told);
  } else {
    call = tools_.run(call.id, call.name, call.arguments);
  }
}

}  // namespace inferwire::inline v0_1::client
