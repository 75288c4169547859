/// \file
/// Streamed answers that arrive in the background.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/error.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/result.hpp"
#include "inferwire/stream.hpp"

#include <concepts>
#include <memory>
#include <utility>

namespace inferwire::inline v0_1 {

namespace detail {

/// Receives the elements of a stream, their type erased.
class INFERWIRE_API StreamListener {
 public:
  virtual ~StreamListener();
  virtual void on_event(const void* element) = 0;
  virtual void on_end(Result<void> outcome) = 0;
};

class StreamFold;

/// Connects the reader of a stream with its source. Used by one reader at a time, on any thread.
class AsyncStreamCore {
 public:
  virtual ~AsyncStreamCore() = default;

  /// Requests the next element. True: it is there already.
  virtual bool ask() = 0;
  /// Requests the next element and waits for it, no longer than `limit` if there is one. False: it has not
  /// arrived, or cannot arrive while this thread waits.
  virtual bool wait(const Optional<Duration>& limit) = 0;
  /// Has `resume` called once the requested element is there.
  virtual void suspend(Executor::Task resume) = 0;
  /// Undoes `suspend`; no effect once `resume` has been called. Call it on the thread where `resume` would be
  /// called.
  virtual void withdraw() noexcept = 0;
  /// The requested element; nullptr after the last one.
  virtual const void* take() = 0;
  virtual void listen(std::unique_ptr<StreamListener> listener) = 0;
  /// Adds the elements that were not read yet to `fold`, and releases it at the end. If there is a
  /// `listener`, it also receives each element, where user code runs, but not the end.
  virtual void collect(const std::shared_ptr<StreamFold>& fold, std::unique_ptr<StreamListener> listener) = 0;
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

}  // namespace detail

/// A streamed answer that arrives on the client's event loop, along with any number of others. Read it in one
/// of three ways. From a coroutine whose promise accepts any awaitable:
///
///     auto stream = client.chat.open(request);
///     while (const auto* chunk = co_await stream.next()) {
///       if (!*chunk) co_return report(chunk->error());   // an error is the last element
///       std::cout << (*chunk)->text();
///     }
///
/// or by polling, as a game does once a frame:
///
///     while (stream.wait_for(0s)) {                       // always true after the end
///       const auto* chunk = stream.get();
///       if (!chunk) break;                                // the end
///       if (!*chunk) report(chunk->error());              // the last element
///       else std::cout << (*chunk)->text();
///     }
///
/// or by callbacks: see `listen`.
///
/// A stream that ends without an error is complete. A slow reader holds up this stream and no other: its
/// connection stops reading when ClientOptions::stream_buffer_bytes are waiting to be read. Used by one
/// thread at a time.
///
/// Destroying the stream cancels the call, unless the last element of the answer has been read, and closes
/// its connection, unless the end of the stream has arrived. The destructor waits for a callback running on
/// another thread, unless the destructor runs on the loop's thread (the two could deadlock). In a class,
/// declare the stream after the members that its callbacks use: it is then destroyed first. A coroutine may
/// be destroyed while it waits for an element, on the thread where it would resume; the next reader then gets
/// the element. An executor must have one thread for that, or be a strand.
///
/// An empty AsyncStream (default-constructed, moved from, or assigned to itself) fails at once: its only
/// element is Error{config}, with which `listen` and `collect` end too.
template <class T>
class [[nodiscard("destroying it cancels the call: keep it")]] AsyncStream {
 public:
  /// The awaitable that `next` returns; co_await it at once.
  class [[nodiscard("co_await it")]] Next {
   public:
    explicit Next(AsyncStream& stream) : stream_(stream) {}
    Next(Next&&) noexcept = default;
    ~Next() {
      if (awaited_) awaited_->withdraw();
    }

    bool await_ready() { return !stream_.core_ || stream_.core_->ask(); }
    template <class Handle>
    void await_suspend(Handle coroutine) {
      awaited_ = stream_.core_;
      awaited_->suspend(
          Executor::Task([](void* address) { Handle::from_address(address).resume(); }, coroutine.address()));
    }
    const Result<T>* await_resume() {
      const auto awaited = std::exchange(awaited_, nullptr);
      return awaited ? static_cast<const Result<T>*>(awaited->take()) : stream_.take();
    }

   private:
    AsyncStream& stream_;
    std::shared_ptr<detail::AsyncStreamCore> awaited_;  ///< the stream may be moved meanwhile
  };

  /// Empty, to be assigned later.
  AsyncStream() = default;
  AsyncStream(AsyncStream&&) noexcept = default;
  AsyncStream& operator=(AsyncStream&& other) noexcept {
    const AsyncStream gone(std::move(*this));
    core_ = std::move(other.core_);
    owner_ = std::move(other.owner_);
    refusal_ = std::move(other.refusal_);
    return *this;
  }
  ~AsyncStream() {
    if (core_) core_->abandon();
  }

  /// The next element, by co_await, or nullptr after the last one. Valid until the next call, which reuses
  /// it. The coroutine resumes on the loop's thread, or where CallOptions::executor says. Nothing is sent
  /// before the first call.
  Next next() & { return Next(*this); }
  /// The element would be gone with the temporary stream.
  Next next() && = delete;

  /// Whether this is a stream, and not empty. Stays true after the end.
  bool valid() const noexcept { return core_ != nullptr; }

  /// Waits up to `limit`, and returns whether `get` would now return without waiting; always true after the
  /// end, when `get` returns nullptr. Nothing is sent before the first call. May be mixed with `next`;
  /// `listen` and `collect` begin with the element that was waited for.
  bool wait_for(Duration limit) { return wait(limit); }

  /// The next element, as from `next`; blocks the calling thread until it has arrived. On the loop's own
  /// thread, which would wait for itself, an element that is not there yet is Error{config}.
  const Result<T>* get() & INFERWIRE_LIFETIMEBOUND {
    return wait(std::nullopt) ? take() : refuse(detail::would_wait_for_itself());
  }
  /// The element would be gone with the temporary stream.
  const Result<T>* get() && = delete;

  /// Has `on_event(const T&)` called with each element, and finally `on_end(Result<void>)` once: on the
  /// loop's thread, or where CallOptions::executor says. Used instead of `next`, for which this stream has
  /// ended. The element is valid during the call, and the next one is read when `on_event` returns. An
  /// exception from `on_event` ends the stream with Error{cancelled}, whose detail quotes the exception.
  /// Exceptions from either function go to ClientOptions::log, never to the caller.
  ///
  /// Keep the stream: destroying it cancels the call, and then neither function is called again. Both are
  /// destroyed soon afterwards, usually on the loop's thread. Either function may destroy the stream.
  ///
  /// `on_end` runs immediately, on the calling thread, if the stream already has a listener or has no loop.
  /// If there is no executor, or it no longer exists, this also happens if the stream is over or its request
  /// could not be sent; in the last case, inside the `on_end` of another such stream, it runs after that has
  /// returned.
  template <class OnEvent, class OnEnd>
  void listen(OnEvent on_event, OnEnd on_end) & {
    class Listener final : public detail::StreamListener {
     public:
      Listener(OnEvent on_event, OnEnd on_end) : on_event_(std::move(on_event)), on_end_(std::move(on_end)) {}
      void on_event(const void* element) override { on_event_(*static_cast<const T*>(element)); }
      void on_end(Result<void> outcome) override { on_end_(std::move(outcome)); }

     private:
      OnEvent on_event_;
      OnEnd on_end_;
    };
    auto listener = std::make_unique<Listener>(std::move(on_event), std::move(on_end));
    if (core_) return core_->listen(std::move(listener));
    detail::PendingCore::call([&listener] { listener->on_end(detail::no_stream()); });
  }

  template <class OnEvent, class OnEnd>
  void listen(OnEvent, OnEnd) && = delete;

  /// Reads the elements on the loop and folds them into one answer: that of the call without streaming, or as
  /// much of it as arrived, with the error. The Pending gives the Collected itself: an error of waiting for
  /// it is in Collected::error, too. If elements were read before, they are missing from the answer; its
  /// error is then the stream's, or else Error{config}.
  ///
  ///     const auto answer = co_await client.chat.open(request).collect();
  ///     if (!answer) report(*answer.error);
  ///     std::cout << answer.response.text();
  ///
  /// Used instead of `next` and `listen`: if one of those is in progress, the error is Error{config}. The
  /// call now belongs to the Pending, whose destruction cancels it. This stream is no longer needed: it has
  /// ended for its reader, and keeps `info` and `end_reason`.
  Pending<Collected<typename Folds<T>::Response>> collect() { return fold(nullptr); }
  /// Also calls `on_element(const T&)` with each element as it arrives, as `listen` does: on the loop's
  /// thread, or where CallOptions::executor says (whose thread then must not wait for the answer by `get`).
  /// The Pending is ready once it has been called with each element. An exception from it, `cancel` and the
  /// end of the client end the stream with Error{cancelled}, and Timeouts::overall ends it with
  /// Error{timeout}, however busy the executor is: it is not called again then, and the answer may hold
  /// elements that it was not called with. Destroying the Pending waits for a call of `on_element` in
  /// progress on another thread, except on the loop's thread (the two could deadlock).
  template <class OnElement>
    requires std::invocable<OnElement&, const T&>
  Pending<Collected<typename Folds<T>::Response>> collect(OnElement on_element) {
    class Listener final : public detail::StreamListener {
     public:
      explicit Listener(OnElement on_element) : on_element_(std::move(on_element)) {}
      void on_event(const void* element) override { on_element_(*static_cast<const T*>(element)); }
      void on_end(Result<void>) override {}

     private:
      OnElement on_element_;
    };
    return fold(std::make_unique<Listener>(std::move(on_element)));
  }

  /// Cancels the call from any thread: the last element is Error{cancelled}.
  void cancel() noexcept {
    if (core_) core_->cancel();
  }

  /// The answer's metadata: head and request id are available from the first element on, the rest once the
  /// stream has ended. If there is a listener, call it in the listener's functions, or after `on_end`. While
  /// the stream is collected with a function: the head at any time, all of it once the answer is there.
  const ResponseInfo& info() const noexcept INFERWIRE_LIFETIMEBOUND {
    return core_ ? core_->info() : detail::no_info();
  }
  /// Why the stream ended.
  EndReason end_reason() const noexcept { return core_ ? core_->end_reason() : EndReason::failed; }

 private:
  friend struct detail::HandleAccess;

  /// `owner` is kept alive as long as the stream.
  explicit AsyncStream(std::shared_ptr<detail::AsyncStreamCore> core, std::shared_ptr<void> owner = nullptr)
      : core_(std::move(core)), owner_(std::move(owner)) {}
  /// `listener` receives each element after it is folded; nullptr: none.
  INFERWIRE_API Pending<Collected<typename Folds<T>::Response>> fold(
      std::unique_ptr<detail::StreamListener> listener);
  bool wait(const Optional<Duration>& limit) { return !core_ || core_->wait(limit); }
  const Result<T>* take() {
    if (core_) return static_cast<const Result<T>*>(core_->take());
    return refusal_ ? nullptr : refuse(detail::no_stream());
  }
  const Result<T>* refuse(Error error) {
    refusal_ = std::make_unique<const Result<T>>(std::move(error));
    return refusal_.get();
  }

  std::shared_ptr<detail::AsyncStreamCore> core_{};
  std::shared_ptr<void> owner_{};
  std::unique_ptr<const Result<T>> refusal_{};  ///< an error that is not the stream's
};

}  // namespace inferwire::inline v0_1
