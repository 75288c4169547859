/// \file
/// A call with one answer on an event loop: what `start` is in every room that has it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "client/loop/job.hpp"
#include "client/resources/resource.hpp"
#include "client/thrown.hpp"
#include "inferwire/pending.hpp"

namespace inferwire::inline v0_1::client {

template <class Read>
class PendingJob final : public Job, public detail::PendingState<typename Inquiry<Read>::Reply::value_type> {
 public:
  using Reply = typename Inquiry<Read>::Reply;

  PendingJob(std::shared_ptr<detail::Core> core, std::shared_ptr<detail::Loop> loop, const Subject& subject,
             HttpRequest request, const CallOptions& options, Read read)
      : Job(std::move(core), std::move(loop), options),
        operation_(subject.operation),
        model_(subject.model),
        request_(std::move(request)),
        options_(options),
        read_(std::move(read)),
        callers_info_(std::exchange(options_.info, {})) {
    options_.cancel = stopped();
    options_.executor.reset();  // the job has it
  }

  void run() override {
    auto reply = advance();
    if (!reply) return await(inquiry_->need());
    inquiry_.reset();
    finish();
    this->complete_with(*std::move(reply));
  }

  void cancel() noexcept override { stop(); }
  bool is_here() const noexcept override { return loop().is_here(); }

 private:
  /// Memory may run out over an answer; nobody up to the loop's thread could take that.
  std::optional<Reply> advance() {
    try {
      if (!inquiry_) {
        inquiry_.emplace(shared_core(), std::move(request_), options_, Subject{operation_, model_}, *this,
                         std::move(read_));
      }
      return inquiry_->step(callers_info_ ? &info_ : nullptr);
    } catch (...) {
      return Reply(thrown_by_reading());
    }
  }
  void dispatch(Task continuation) override {
    if (!has_executor()) return dispatch_user(std::move(continuation));
    // Who waits may be gone, and this with it, by the time that the executor comes to it.
    dispatch_last(
        [self = shared_from_this(), continuation = std::move(continuation)]() mutable { continuation(); });
  }
  bool dispatches_here() const noexcept override { return runs_user_here(); }
  void store(Reply reply) override {
    if (callers_info_) *callers_info_.get() = std::move(info_);
    detail::PendingState<typename Reply::value_type>::store(std::move(reply));
  }

  std::string_view operation_;  ///< a literal
  std::string model_;
  HttpRequest request_;
  CallOptions options_;
  Read read_;
  InfoPlace callers_info_;  ///< written only while somebody waits for the result
  ResponseInfo info_;
  std::optional<Inquiry<Read>> inquiry_;
};

/// A reply that is there already: nothing could be sent. `core` is absent where the client was moved from.
template <class T>
class Settled final : public detail::PendingState<T> {
 public:
  Settled(std::shared_ptr<detail::Core> core, std::shared_ptr<Executor> executor, Error error)
      : core_(std::move(core)), executor_(std::move(executor)) {
    this->complete_with(std::move(error));
  }

  bool is_here() const noexcept override { return false; }
  void cancel() noexcept override {}

 private:
  void dispatch(Task continuation) override { post_last(executor_, std::move(continuation), core_); }
  bool dispatches_here() const noexcept override { return !executor_ || executor_.is_gone(); }

  std::shared_ptr<detail::Core> core_;
  CallersExecutor executor_;
};

template <class T>
Pending<T> settled(const std::shared_ptr<detail::Core>& core, const CallOptions& options, Error error) {
  auto told = core ? core->shared_from_this() : nullptr;  // which does not keep the client
  auto executor = core ? core->executor_for(options) : detail::executor_of(options.executor);
  return Pending<T>(
      std::make_shared<Settled<T>>(std::move(told), std::move(executor), unsent(core, std::move(error))));
}

template <class Read>
auto launch(const std::shared_ptr<detail::Core>& core, const CallOptions& options, Verb<Read> verb)
    -> Pending<typename Verb<Read>::Reply::value_type> {
  using T = typename Verb<Read>::Reply::value_type;
  if (options.info) *options.info.get() = {};
  if (!verb.http) return settled<T>(core, options, std::move(verb.http).error());
  auto loop = core->loop();
  if (!loop) return settled<T>(core, options, std::move(loop).error());
  auto job = std::make_shared<PendingJob<Read>>(core->shared_from_this(), *loop, verb.subject,
                                                *std::move(verb.http), options, std::move(verb.read));
  (*loop)->post(*job);
  return Pending<T>(std::move(job), core);
}

/// The reply to a request, on the client's event loop.
template <class Make>
Pending<typename ReplyOf<Make>::value_type> launch(const std::shared_ptr<detail::Core>& core,
                                                   const CallOptions& options, Make make) {
  if (!core) return settled<typename ReplyOf<Make>::value_type>(core, options, moved_from());
  return launch(core, options, make(*core, options));
}

/// `resource.start`: `create` beside the caller.
template <class Chunk, class Request>
Pending<typename Folds<Chunk>::Response> start(const std::shared_ptr<detail::Core>& core,
                                               Route Provider::* route, const Request& request,
                                               std::int64_t choices, const CallOptions& options) {
  return launch(core, options, whole_verb<Chunk>(route, request, choices));
}

}  // namespace inferwire::inline v0_1::client
