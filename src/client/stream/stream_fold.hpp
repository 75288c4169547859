/// \file
/// Folds a stream on an event loop into one answer: what `AsyncStream::collect` does.
#pragma once

#include "client/thrown.hpp"
#include "inferwire/async_stream.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/stream.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::detail {

/// Folds the elements of a stream into one answer. Called on the loop's thread, whatever the executor: the
/// executor's thread may be blocked waiting for the answer.
class StreamFold {
 public:
  virtual ~StreamFold() = default;
  virtual void add(const void* element) noexcept = 0;
  /// The stream is over; `error`, if any, cut it short. Called on the executor's thread if the call had to
  /// end while the user's function ran there.
  virtual void end(std::optional<Error> error) = 0;
};

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::client {

/// The answer of a stream, and the Pending that waits for it.
template <class T>
class StreamFoldOf final : public detail::StreamFold,
                           public detail::PendingState<Collected<typename Folds<T>::Response>>,
                           public std::enable_shared_from_this<StreamFoldOf<T>> {
 public:
  explicit StreamFoldOf(std::shared_ptr<detail::AsyncStreamCore> core) : core_(std::move(core)) {}

  void add(const void* element) noexcept override {
    try {
      fold_.add(*static_cast<const T*>(element));
    } catch (...) {  // no memory
      if (!thrown_) thrown_ = thrown_by_reading();
      core_->cancel();
    }
  }
  void end(std::optional<Error> error) override {
    const auto alive = this->shared_from_this();
    if (thrown_) error = std::move(thrown_);
    this->complete_with(collected(std::move(error)));
  }

  bool is_here() const noexcept override { return core_->is_here(); }
  void end_if_lost() override {
    if (!this->ready()) core_->end_if_lost();
  }
  void cancel() noexcept override { core_->cancel(); }

 private:
  using Answer = Collected<typename Folds<T>::Response>;

  Answer collected(std::optional<Error> error) noexcept {
    try {
      return {fold_.take(!error), std::move(error)};
    } catch (...) {  // no memory
      return {{}, error ? std::move(error) : thrown_by_reading()};
    }
  }
  void on_abandoned() noexcept override { core_->abandon_fold(); }
  void dispatch(Executor::Task continuation) override {
    // By the time an executor runs this, the waiter may be gone and have released this object.
    core_->dispatch(this->keeping(this->shared_from_this(), std::move(continuation)));
  }
  bool dispatches_here() const noexcept override { return core_->dispatches_here(); }

  std::shared_ptr<detail::AsyncStreamCore> core_;
  typename Folds<T>::Accumulator fold_;
  std::optional<Error> thrown_;  ///< what `add` threw
};

}  // namespace inferwire::inline v0_1::client
