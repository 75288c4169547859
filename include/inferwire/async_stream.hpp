/// \file
/// Streamed answers that arrive in the background.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/error.hpp"
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

class AsyncStreamCore;

/// The part of an AsyncStream that does not depend on the type of its elements.
class INFERWIRE_API AsyncStreamFace {
 public:
  AsyncStreamFace() noexcept;
  explicit AsyncStreamFace(std::shared_ptr<AsyncStreamCore> core, std::shared_ptr<void> owner);
  AsyncStreamFace(AsyncStreamFace&&) noexcept;
  AsyncStreamFace& operator=(AsyncStreamFace&& other) noexcept;
  ~AsyncStreamFace();

  /// Requests the next element. True: it is there already.
  bool ask();
  /// Requests the next element and waits for it, no longer than `limit` if there is one. False: it has not
  /// arrived, or cannot arrive while this thread waits.
  bool wait(const Optional<Duration>& limit);
  const std::shared_ptr<AsyncStreamCore>& core() const noexcept { return core_; }
  const std::shared_ptr<void>& owner() const noexcept { return owner_; }
  /// Has `resume(context)` called once the requested element is there.
  static void suspend(AsyncStreamCore& core, void (*resume)(void*), void* context);
  /// Undoes `suspend`; no effect once `resume` has been called. Call it on the thread where `resume` would be
  /// called.
  static void withdraw(AsyncStreamCore& core) noexcept;
  /// The requested element; nullptr after the last one. Must not be called on an empty stream.
  const void* take();
  static const void* take(AsyncStreamCore& core);

  void listen(std::unique_ptr<StreamListener> listener);
  void cancel() noexcept;
  const ResponseInfo& info() const noexcept;
  EndReason end_reason() const noexcept;

 private:
  std::shared_ptr<AsyncStreamCore> core_;
  std::shared_ptr<void> owner_;
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
/// another thread, unless the destructor runs on the loop's thread (the two could deadlock). A coroutine may
/// be destroyed while it waits for an element, on the thread where it would resume; the next reader then gets
/// the element. An executor must have one thread for that, or be a strand.
///
/// An empty AsyncStream (default-constructed or moved from) fails at once: its only element is Error{config},
/// with which `listen` and `collect` end too.
template <class T>
class [[nodiscard]] AsyncStream {
 public:
  /// The awaitable that `next` returns; co_await it at once.
  class [[nodiscard]] Next {
   public:
    explicit Next(AsyncStream& stream) : stream_(stream) {}
    Next(Next&&) noexcept = default;
    ~Next() {
      if (awaited_) Face::withdraw(*awaited_);
    }

    bool await_ready() { return stream_.face_.ask(); }
    template <class Handle>
    void await_suspend(Handle coroutine) {
      awaited_ = stream_.face_.core();
      Face::suspend(
          *awaited_, [](void* address) { Handle::from_address(address).resume(); }, coroutine.address());
    }
    const Result<T>* await_resume() {
      const auto awaited = std::exchange(awaited_, nullptr);
      return awaited ? static_cast<const Result<T>*>(Face::take(*awaited)) : stream_.take();
    }

   private:
    using Face = detail::AsyncStreamFace;
    AsyncStream& stream_;
    std::shared_ptr<detail::AsyncStreamCore> awaited_;  ///< the stream may be moved meanwhile
  };

  /// Empty, to be assigned later.
  AsyncStream() = default;
  /// For the library's own use. `owner` is kept alive as long as the stream.
  explicit AsyncStream(std::shared_ptr<detail::AsyncStreamCore> core, std::shared_ptr<void> owner = nullptr)
      : face_(std::move(core), std::move(owner)) {}

  /// The next element, by co_await, or nullptr after the last one. Valid until the next call, which reuses
  /// it. The coroutine resumes on the loop's thread, or where CallOptions::executor says. Nothing is sent
  /// before the first call.
  Next next() { return Next(*this); }

  /// Whether this is a stream, and not empty. Stays true after the end.
  bool valid() const noexcept { return face_.core() != nullptr; }

  /// Waits up to `limit`, and returns whether `get` would now return without waiting; always true after the
  /// end, when `get` returns nullptr. Nothing is sent before the first call. May be mixed with `next`;
  /// `listen` and `collect` begin with the element that was waited for.
  bool wait_for(Duration limit) { return face_.wait(limit); }

  /// The next element, as from `next`; blocks the calling thread until it has arrived. On the loop's own
  /// thread, which would wait for itself, an element that is not there yet is Error{config}.
  const Result<T>* get() INFERWIRE_LIFETIMEBOUND {
    return face_.wait(std::nullopt) ? take() : refuse(detail::would_wait_for_itself());
  }

  /// Has `on_event(const T&)` called with each element, and finally `on_end(Result<void>)` once: on the
  /// loop's thread, or where CallOptions::executor says. Used instead of `next`. The element is valid during
  /// the call, and the next one is read when `on_event` returns. An exception from `on_event` ends the stream
  /// with Error{cancelled}, whose detail quotes the exception. Exceptions from either function go to
  /// ClientOptions::log, never to the caller.
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
    face_.listen(std::make_unique<Listener>(std::move(on_event), std::move(on_end)));
  }

  template <class OnEvent, class OnEnd>
  void listen(OnEvent, OnEnd) && = delete;

  /// Reads the elements on the loop and folds them into one answer: that of the call without streaming, or as
  /// much of it as arrived, with the error. The Result has a value even if the stream failed: the error is in
  /// Collected::error. If elements were read before, they are missing from the answer; its error is then the
  /// stream's, or else Error{config}.
  ///
  ///     const auto answer = co_await client.chat.open(request).collect();
  ///     if (answer->error) report(*answer->error);
  ///     std::cout << answer->response.text();
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
  void cancel() noexcept { face_.cancel(); }

  /// The answer's metadata: head and request id are available from the first element on, the rest once the
  /// stream has ended. If there is a listener, call it in the listener's functions, or after `on_end`. While
  /// the stream is collected with a function: the head at any time, all of it once the answer is there.
  const ResponseInfo& info() const noexcept INFERWIRE_LIFETIMEBOUND { return face_.info(); }
  /// Why the stream ended.
  EndReason end_reason() const noexcept { return face_.end_reason(); }

 private:
  /// `listener` receives each element after it is folded; nullptr: none.
  INFERWIRE_API Pending<Collected<typename Folds<T>::Response>> fold(
      std::unique_ptr<detail::StreamListener> listener);
  const Result<T>* take() {
    if (valid()) return static_cast<const Result<T>*>(face_.take());
    return refusal_ ? nullptr : refuse(detail::no_stream());
  }
  const Result<T>* refuse(Error error) {
    refusal_ = std::make_unique<const Result<T>>(std::move(error));
    return refusal_.get();
  }

  detail::AsyncStreamFace face_{};
  std::unique_ptr<const Result<T>> refusal_{};  ///< an error that is not the stream's
};

}  // namespace inferwire::inline v0_1
