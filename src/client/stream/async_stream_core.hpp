/// \file
/// A streamed call beside the caller, whatever its elements are: `AsyncStream<T>` is a typed face over it.
#pragma once

#include <memory>
#include <optional>

#include "inferwire/async_stream.hpp"

namespace inferwire::inline v0_1::detail {

/// Folds the elements of a stream into one answer, on the loop's thread, whatever the executor: whoever has
/// the executor's thread may wait there for the answer.
class StreamFold {
 public:
  virtual ~StreamFold() = default;
  virtual void add(const void* element) noexcept = 0;
  /// The stream is over. `error` cut it short if there is one. Called on the executor's thread if the call
  /// had to end while the user's function ran there.
  virtual void end(std::optional<Error> error) = 0;
};

/// What reads a stream and what feeds it. Used by one reader at a time, wherever it runs.
class AsyncStreamCore {
 public:
  virtual ~AsyncStreamCore() = default;

  // AsyncStreamFace says what these do.
  virtual bool ask() = 0;
  virtual bool wait(const Optional<Duration>& limit) = 0;
  virtual void suspend(Executor::Task resume) = 0;
  virtual void withdraw() noexcept = 0;
  virtual const void* take() = 0;
  virtual void listen(std::unique_ptr<StreamListener> listener) = 0;
  /// Has the elements that nobody read yet added to `fold`, and lets go of it at the end. If there is a
  /// `listener`, it is told of each as well, there where the user's code runs, but not of the end.
  virtual void collect(const std::shared_ptr<StreamFold>& fold, std::unique_ptr<StreamListener> listener) = 0;
  /// Whether somebody has taken an element.
  virtual bool has_been_read() const noexcept = 0;
  /// Nobody wants what is folded any more.
  virtual void abandon_fold() noexcept = 0;
  /// Runs what goes on after the folded answer, there where the user's code runs.
  virtual void dispatch(Executor::Task continuation) = 0;
  /// Whether that is the calling thread, once the answer is there.
  virtual bool dispatches_here() const noexcept = 0;
  /// Whether the elements would have to come from the calling thread.
  virtual bool is_here() const noexcept = 0;
  virtual void cancel() noexcept = 0;
  /// Nobody reads any more.
  virtual void abandon() noexcept = 0;
  virtual const ResponseInfo& info() const noexcept = 0;
  virtual EndReason end_reason() const noexcept = 0;
};

}  // namespace inferwire::inline v0_1::detail
