/// \file
/// A Pending that is on no loop, since its request could not be sent.
#pragma once

#include "client/loop/user_callbacks.hpp"
#include "inferwire/pending.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::client {

/// Its result is an error. Continuations run where the executor says.
template <class T>
class FailedPending final : public detail::PendingState<T> {
 public:
  FailedPending(detail::Core* core, const CallOptions& options, Error error) : callbacks_(core, options) {
    this->complete_with(std::move(error));
  }

  bool is_here() const noexcept override { return false; }
  void cancel() noexcept override {}

 private:
  void dispatch(Executor::Task continuation) override { callbacks_.post_last(std::move(continuation)); }
  bool dispatches_here() const noexcept override { return callbacks_.is_called_here(); }

  UserCallbacks callbacks_;
};

}  // namespace inferwire::inline v0_1::client
