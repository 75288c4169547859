/// \file
/// An asynchronous stream that is on no loop, since its request could not be sent.
#pragma once

#include "client/core.hpp"
#include "client/loop/trampoline.hpp"
#include "client/loop/user_callbacks.hpp"
#include "client/stream/callback_guard.hpp"
#include "client/stream/misuse.hpp"
#include "client/stream/stream_fold.hpp"
#include "inferwire/async_stream.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Its only element is an error. Continuations run where the executor says.
class FailedStream final : public detail::AsyncStreamCore, public std::enable_shared_from_this<FailedStream> {
 public:
  /// A stream of elements of type `T`.
  template <class T>
  FailedStream(std::type_identity<T>, detail::Core* core, const CallOptions& options, Error error)
      : callbacks_(core, options),
        error_(std::move(error)),
        element_(std::make_shared<const Result<T>>(error_)) {}

  bool ask() override { return true; }
  bool wait(const Optional<Duration>&) override { return true; }
  void suspend(Executor::Task resume) override { resume(); }
  void withdraw() noexcept override {}
  const void* take() override { return std::exchange(taken_, true) ? nullptr : element_.get(); }
  void listen(std::unique_ptr<detail::StreamListener> listener) override {
    if (std::exchange(used_, true)) {
      const auto alive = shared_from_this();  // the listener may destroy the stream
      return callbacks_.call([&] { listener->on_end(listened_to_already()); });
    }
    taken_ = true;
    // A destroyed stream calls no listener.
    auto tell = [stream = weak_from_this(), listener = std::move(listener)] {
      if (const auto alive = stream.lock()) alive->tell(*listener);
    };
    if (dispatches_here()) return run_on_trampoline(Executor::Task(std::move(tell)));
    callbacks_.post_last(std::move(tell));
  }
  void collect(const std::shared_ptr<detail::StreamFold>& fold,
               std::unique_ptr<detail::StreamListener>) override {
    if (std::exchange(used_, true)) return fold->end(read_already());
    taken_ = true;
    fold->end(error_);
  }
  void abandon_fold() noexcept override {}
  void dispatch(Executor::Task continuation) override { callbacks_.post_last(std::move(continuation)); }
  bool dispatches_here() const noexcept override { return callbacks_.is_called_here(); }
  bool is_here() const noexcept override { return false; }
  void end_if_lost() override {}
  void cancel() noexcept override {}
  void abandon() noexcept override {
    const auto& core = callbacks_.core();
    if (guard_.close() && (!core || core->may_wait_for_user())) guard_.wait();
  }
  const ResponseInfo& info() const noexcept override { return info_; }
  EndReason end_reason() const noexcept override { return EndReason::failed; }

 private:
  void tell(detail::StreamListener& listener) noexcept {
    if (!guard_.begin(false)) return;
    callbacks_.call([&] { listener.on_end(error_); });
    guard_.end();
  }

  UserCallbacks callbacks_;
  const Error error_;
  const std::shared_ptr<const void> element_;  ///< a Result with the error
  ResponseInfo info_;
  bool taken_{};
  bool used_{};  ///< it was listened to or collected
  CallbackGuard guard_;
};

}  // namespace inferwire::inline v0_1::client
