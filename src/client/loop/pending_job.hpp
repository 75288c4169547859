/// \file
/// A call with one answer on an event loop: the implementation of a Pending.
#pragma once

#include "client/call/typed_call.hpp"
#include "client/loop/job.hpp"
#include "client/request_writer.hpp"
#include "client/thrown.hpp"
#include "inferwire/pending.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

template <class Read>
class PendingJob final : public Job,
                         public detail::PendingState<typename TypedCall<Read>::Reply::value_type> {
 public:
  using Reply = typename TypedCall<Read>::Reply;

  PendingJob(detail::Core& core, std::shared_ptr<detail::Loop> loop, const Subject& subject,
             HttpRequest request, const CallOptions& options, Read read)
      : Job(core, std::move(loop), options),
        operation_(subject.operation),
        model_(subject.model),
        request_(std::move(request)),
        options_(options),
        read_(std::move(read)),
        callers_info_(std::exchange(options_.info, {})) {
    options_.cancel = stopped();
    options_.executor.reset();  // the job has its own reference
    forget_written(options_);
  }

  void run() override {
    auto reply = advance();
    if (!reply) return await(call_->need());  // which needs no memory
    call_.reset();
    finish();
    this->complete_with(*std::move(reply));
  }

  void cancel() noexcept override { stop(); }
  bool is_here() const noexcept override { return loop().is_here(); }
  void end_if_lost() override {
    if (!loop().is_lost() || this->ready()) return;
    const auto alive = shared_from_this();
    callers_info_ = {};  // the lost thread may have been writing `info_`
    this->complete_with(detail::Loop::lost());
  }

 private:
  /// Memory may run out while reading an answer, and the loop's thread has no handler for that exception.
  std::optional<Reply> advance() {
    try {
      if (!call_) {
        call_.emplace(CallScope{shared_core(), options_, *this}, std::move(request_),
                      Subject{operation_, model_}, std::move(read_));
      }
      return call_->step(callers_info_ ? &info_ : nullptr);
    } catch (...) {
      return Reply(thrown_by_reading());
    }
  }
  void dispatch(Executor::Task continuation) override {
    if (!has_executor()) return dispatch_user(std::move(continuation));
    // The handle, and this with it, may be gone by the time that the executor runs the task.
    dispatch_last(this->keeping(shared_from_this(), std::move(continuation)));
  }
  bool dispatches_here() const noexcept override { return runs_user_here(); }
  void store(Reply reply) override {
    if (callers_info_) *callers_info_.get() = std::move(info_);
    detail::PendingState<typename Reply::value_type>::store(std::move(reply));
  }

  std::string_view operation_;  ///< a string literal
  std::string model_;
  HttpRequest request_;
  CallOptions options_;
  Read read_;
  InfoPlace callers_info_;  ///< written only if the result has not been abandoned
  ResponseInfo info_;
  std::optional<TypedCall<Read>> call_;
};

}  // namespace inferwire::inline v0_1::client
