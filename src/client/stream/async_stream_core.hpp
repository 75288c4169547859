/// \file
/// The type-erased core of an asynchronous stream: `AsyncStream<T>` is a typed interface to it.
#pragma once

#include "inferwire/async_stream.hpp"
#include "inferwire/error.hpp"

#include <memory>
#include <optional>

namespace inferwire::inline v0_1::client {

class StreamFold;

/// The error of `listen` on a stream that is listened to or collected.
inline Error listened_to_already() {
  return {.kind = ErrorKind::config, .detail = "somebody listens to the stream already"};
}
/// The error of `collect` on a stream that somebody reads.
inline Error read_already() {
  return {.kind = ErrorKind::config, .detail = "somebody reads the stream already"};
}

}  // namespace inferwire::inline v0_1::client

namespace inferwire::inline v0_1::detail {

/// Connects the reader of a stream with its source. Used by one reader at a time, on any thread.
class AsyncStreamCore {
 public:
  virtual ~AsyncStreamCore() = default;

  // See AsyncStreamFace for these.
  virtual bool ask() = 0;
  virtual bool wait(const Optional<Duration>& limit) = 0;
  virtual void suspend(Executor::Task resume) = 0;
  virtual void withdraw() noexcept = 0;
  virtual const void* take() = 0;
  virtual void listen(std::unique_ptr<StreamListener> listener) = 0;
  /// Adds the elements that were not read yet to `fold`, and releases it at the end. If there is a
  /// `listener`, it also receives each element, where user code runs, but not the end.
  virtual void collect(const std::shared_ptr<client::StreamFold>& fold,
                       std::unique_ptr<StreamListener> listener) = 0;
  /// The folded answer is no longer needed.
  virtual void abandon_fold() noexcept = 0;
  /// Runs the continuation of the folded answer where user code runs.
  virtual void dispatch(Executor::Task continuation) = 0;
  /// Whether that is the calling thread, once the answer is ready.
  virtual bool dispatches_here() const noexcept = 0;
  /// Whether the elements would have to be delivered by the calling thread.
  virtual bool is_here() const noexcept = 0;
  /// In a child of fork(), which lacks the thread that has to deliver the elements: ends the stream.
  virtual void end_if_lost() = 0;
  virtual void cancel() noexcept = 0;
  /// The stream has no reader any more.
  virtual void abandon() noexcept = 0;
  virtual const ResponseInfo& info() const noexcept = 0;
  virtual EndReason end_reason() const noexcept = 0;
};

}  // namespace inferwire::inline v0_1::detail
