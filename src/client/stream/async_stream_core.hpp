/// \file
/// A streamed call on an event loop, whatever its elements are: `AsyncStream<T>` is a typed face over it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/loop/job.hpp"
#include "client/loop/succession.hpp"
#include "client/loop/telling.hpp"
#include "client/resources/resource.hpp"
#include "client/stream/arrival.hpp"
#include "client/stream/element.hpp"
#include "client/stream/stream_core.hpp"
#include "inferwire/async_stream.hpp"

namespace inferwire::inline v0_1::detail {

/// Folds the elements of a stream into one answer. It is told on the loop's thread, whatever the executor:
/// whoever has the executor's thread may wait there for the answer.
class StreamFold {
 public:
  virtual ~StreamFold() = default;
  virtual void add(const void* element) noexcept = 0;
  /// The stream is over. `error` cut it short if there is one.
  virtual void end(std::optional<Error> error) = 0;
};

/// What reads a stream and what feeds it. Used by one reader at a time, wherever it runs.
class AsyncStreamCore {
 public:
  virtual ~AsyncStreamCore() = default;

  // AsyncStreamFace says what these do.
  virtual bool ask() = 0;
  virtual bool wait(const Optional<Duration>& limit) = 0;
  virtual void suspend(Task resume) = 0;
  virtual void withdraw() noexcept = 0;
  virtual const void* take() = 0;
  virtual void listen(std::unique_ptr<StreamListener> listener) = 0;
  /// Has the elements that nobody read yet added to `fold`, and lets go of it at the end.
  virtual void collect(const std::shared_ptr<StreamFold>& fold) = 0;
  /// Nobody wants what is folded any more.
  virtual void abandon_fold() noexcept = 0;
  /// Runs what goes on after the folded answer, there where the user's code runs.
  virtual void dispatch(Task continuation) = 0;
  /// Whether the elements would have to come from the calling thread.
  virtual bool is_here() const noexcept = 0;
  virtual void cancel() noexcept = 0;
  /// Nobody reads any more.
  virtual void abandon() noexcept = 0;
  virtual const ResponseInfo& info() const noexcept = 0;
  virtual EndReason end_reason() const noexcept = 0;
};

/// One that never was: its only element is an error, which no executor has to tell.
template <class T>
class StillbornStream final : public AsyncStreamCore,
                              public std::enable_shared_from_this<StillbornStream<T>> {
 public:
  /// `core` is absent where the client was moved from.
  StillbornStream(std::shared_ptr<Core> core, Error error)
      : core_(std::move(core)), element_(std::move(error)) {}

  bool ask() override { return true; }
  bool wait(const Optional<Duration>&) override { return true; }
  void suspend(Task resume) override { resume(); }
  void withdraw() noexcept override {}
  const void* take() override { return std::exchange(taken_, true) ? nullptr : &element_; }
  void listen(std::unique_ptr<StreamListener> listener) override {
    // Nobody is told once the stream is destroyed.
    auto tell = [stream = this->weak_from_this(), listener = std::move(listener)] {
      if (const auto alive = stream.lock()) alive->tell(*listener);
    };
    client::call_in_succession(Task(std::move(tell)));
  }
  void collect(const std::shared_ptr<StreamFold>& fold) override {
    taken_ = true;
    fold->end(element_.error());
  }
  void abandon_fold() noexcept override {}
  void dispatch(Task continuation) override { client::call_user(continuation, core_.get()); }
  bool is_here() const noexcept override { return false; }
  void cancel() noexcept override {}
  void abandon() noexcept override {
    if (telling_.leave()) telling_.wait();
  }
  const ResponseInfo& info() const noexcept override { return info_; }
  EndReason end_reason() const noexcept override { return EndReason::failed; }

 private:
  void tell(StreamListener& listener) noexcept {
    if (!telling_.begin(false)) return;
    client::call_user([&] { listener.on_end(element_.error()); }, core_.get());
    telling_.end();
  }

  std::shared_ptr<Core> core_;
  Result<T> element_;
  ResponseInfo info_;
  bool taken_{};
  client::Telling telling_;
};

/// One on a loop. A reader elsewhere has the element between being told of it and asking for the next one:
/// the loop's thread does not touch it meanwhile. For such a reader the way to the loop and back takes
/// longer than an element, up to a frame of a game's for each: it gets what else has arrived with the first.
class LiveStream : public AsyncStreamCore, public client::Job {
 public:
  LiveStream(std::shared_ptr<Core> core, std::shared_ptr<Loop> loop, StreamPlan plan,
             const client::ElementOps& ops);

  bool ask() override;
  bool wait(const Optional<Duration>& limit) override;
  void suspend(Task resume) override;
  void withdraw() noexcept override;
  const void* take() override;
  void listen(std::unique_ptr<StreamListener> listener) override;
  void collect(const std::shared_ptr<StreamFold>& fold) override;
  void abandon_fold() noexcept override;
  void dispatch(Task continuation) override { dispatch_last(std::move(continuation)); }
  bool is_here() const noexcept override { return loop().is_here(); }
  void cancel() noexcept override { stop(); }
  void abandon() noexcept override;
  const ResponseInfo& info() const noexcept override;
  EndReason end_reason() const noexcept override { return is_at_rest() ? end_reason_ : EndReason::none; }

  void run() override;
  void heard() noexcept override;
  void before_user_code() noexcept override;

 private:
  /// Who waits for an element: whoever it is, the loop has the stream until it has told them.
  enum class Waits : std::uint8_t { nobody, reader, looker, listener };

  /// The element, for decoding; it holds a value until the stream has failed.
  virtual void* value() = 0;
  virtual const void* result() const = 0;
  virtual const Error& error() const = 0;
  virtual void fail(Error error) = 0;
  /// Copies the element: one of those that are handed over together, of which this many are kept already.
  virtual void keep(std::size_t kept) = 0;
  virtual const void* kept(std::size_t place) const = 0;
  /// The element in a result.
  virtual const void* value_in(const void* result) const = 0;

  /// For the reader: whether it waits for nothing. The loop's thread has no hand in the stream then.
  bool is_at_rest() const noexcept {
    return !looked_for_ && waits_.load(std::memory_order_acquire) == Waits::nobody;
  }
  bool advance();
  /// Whether elements are read on another thread, and so handed over several at a time.
  bool is_elsewhere() const noexcept {
    return !collected_ && (has_executor() || waits_.load(std::memory_order_relaxed) == Waits::looker);
  }
  const void* keep_what_arrived();
  bool next_kept();
  void ask_loop(Waits who) noexcept;
  void tell_reader();
  /// Pauses the transport when more than `buffer_bytes_` wait for a reader.
  void limit_unread() noexcept;
  void note_head() const noexcept;
  void end();
  void deliver();
  void dispatch_told(Task task) {
    return ended_ ? dispatch_last(std::move(task)) : dispatch_user(std::move(task));
  }
  void tell_listener();
  void tell_element();
  void tell_fold();
  /// What a stream that has ended tells its listener: success, or its error.
  Result<void> outcome() const;
  bool abandoned() const noexcept { return telling_.is_left(); }

  const client::ElementOps& ops_;
  std::size_t buffer_bytes_;                  ///< most bytes that wait for a reader
  std::unique_ptr<StreamCore> stream_;        ///< nullptr once the stream has ended
  bool begun_{};                              ///< the loop runs this job
  Task reader_;                               ///< resumes the reader when there is an element
  std::unique_ptr<StreamListener> listener_;  ///< is told of each element, in place of a reader
  bool listened_to_{};                        ///< a listener was set; a second one is refused
  bool collected_{};                          ///< the elements are folded, and the reader gets none
  std::weak_ptr<StreamFold> fold_;            ///< holds this stream
  std::unique_ptr<client::Arrival> arrival_;  ///< by which `wait`, on another thread, learns of an element
  bool looked_for_{};                        ///< an element was asked for, and the reader has gone without it
  std::string thrown_;                       ///< what the listener threw; empty: nothing
  std::atomic<Waits> waits_{Waits::nobody};  ///< who waits for an element
  std::atomic<bool> arrived_{false};         ///< an element, or the end, that the reader has not taken
  client::Telling telling_;  ///< whether the listener may be told; stays entered on the loop's thread
  const void* current_{};
  std::size_t kept_{};   ///< how many elements are handed over together
  std::size_t given_{};  ///< how many of those the reader has
  int in_a_row_{};       ///< elements that were read without a pause for others
  bool paused_{};
  bool ended_{};
  std::unique_ptr<ResponseInfo> info_;                ///< complete; once the stream has ended
  mutable std::unique_ptr<ResponseInfo> early_info_;  ///< the head, for who asks before
  EndReason end_reason_{EndReason::none};
};

template <class T>
class LiveStreamOf final : public LiveStream {
 public:
  LiveStreamOf(std::shared_ptr<Core> core, std::shared_ptr<Loop> loop, StreamPlan plan)
      : LiveStream(std::move(core), std::move(loop), std::move(plan), client::element_ops<T>()) {}

 private:
  void* value() override { return &*element_; }
  const void* result() const override { return &element_; }
  const Error& error() const override { return element_.error(); }
  void fail(Error error) override { element_ = std::move(error); }
  void keep(std::size_t kept) override {
    if (kept < elements_.size()) {
      elements_[kept] = element_;
    } else {
      elements_.push_back(element_);
    }
  }
  const void* kept(std::size_t place) const override { return &elements_[place]; }
  const void* value_in(const void* result) const override { return &**static_cast<const Result<T>*>(result); }

  Result<T> element_;
  std::vector<Result<T>> elements_;  ///< the kept ones; more than `kept_` when there have been more
};

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::client {

template <class T>
AsyncStream<T> open_of(const std::shared_ptr<detail::Core>& core, Result<detail::StreamPlan> plan,
                       const CallOptions& options) {
  const auto stillborn = [&](Error error) {
    auto told = core ? core->shared_from_this() : nullptr;  // which does not keep the client
    return AsyncStream<T>(std::make_shared<detail::StillbornStream<T>>(std::move(told), std::move(error)));
  };
  // The loop lets the executor tell it.
  if (!plan && core && core->executor_for(options)) {
    plan =
        detail::StreamPlan{.options = options, .refusal = std::make_unique<Error>(std::move(plan).error())};
  }
  if (!plan) return stillborn(std::move(plan).error());
  auto loop = core->loop();
  if (!loop) return stillborn(std::move(loop).error());
  auto live =
      std::make_shared<detail::LiveStreamOf<T>>(core->shared_from_this(), *std::move(loop), *std::move(plan));
  return AsyncStream<T>(std::move(live), core);
}

/// `resource.open`: `stream` beside the caller.
template <class Chunk, class Request>
AsyncStream<Chunk> open(const std::shared_ptr<detail::Core>& core, Route Provider::* route,
                        const Request& request, std::int64_t choices, const CallOptions& options) {
  if (!core) return open_of<Chunk>(core, moved_from(), options);
  return open_of<Chunk>(core, stream_plan(*core, route, request, choices, options), options);
}

}  // namespace inferwire::inline v0_1::client
