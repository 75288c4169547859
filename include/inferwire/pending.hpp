/// \file
/// The answer to a call that runs while the caller does other work.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "inferwire/error.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1 {

namespace detail {

/// Shared by a Pending and whoever brings its result. Safe from any thread.
class INFERWIRE_API PendingCore {
 public:
  PendingCore();
  virtual ~PendingCore();

  bool ready() const noexcept;
  /// Waits for the result, no longer than `limit` where there is one. False: it is not there, or cannot come
  /// while this thread waits.
  bool wait(const Optional<Duration>& limit);
  /// Has `resume(coroutine)` called once the result is there, where continuations of this call run, in place
  /// of what was given before. False: it is there already, and nothing is called.
  bool when_ready(void (*resume)(void*), void* coroutine);
  /// Takes back `when_ready(coroutine)`; no effect once it has been resumed. Call it on the thread where the
  /// coroutine would be resumed.
  void withdraw(void* coroutine) noexcept;
  /// Has `continuation`, which keeps this, called in the same way, whether the result is there or not.
  void then(Executor::Task continuation);
  /// Calls `continuation` where continuations of this call run.
  virtual void dispatch(Executor::Task continuation) = 0;
  /// Whether that is the calling thread, once the result is there.
  virtual bool dispatches_here() const noexcept = 0;
  /// Calls `continuation`. What it throws is lost: there is no log.
  static void call(Executor::Task continuation) noexcept;
  /// Makes this call part number `place` of `whole`: the thread that brings the result calls
  /// `whole->arrived(place)`. Replaces a continuation that was given before. False: the result is there
  /// already, and nothing is called.
  bool join(std::shared_ptr<PendingCore> whole, std::size_t place);

  /// Whether the result would have to come from the calling thread.
  virtual bool is_here() const noexcept = 0;
  /// Asks for the call's end: the result, if it still has to come, is Error{cancelled}.
  virtual void cancel() noexcept = 0;
  /// Keeps `owner` alive until `release_owner`.
  void own(std::shared_ptr<void> owner) noexcept;
  virtual void release_owner() noexcept;
  /// The caller's handle is gone: nobody wants the result any more.
  void abandon() noexcept;

 protected:
  /// Stores the result by `store(context)`, unless nobody wants it. Returns what is to go on now, if
  /// anything. Whoever calls it keeps this alive meanwhile.
  Executor::Task settle(void (*store)(void* context), void* context);

  /// Called by `abandon` while the result still has to come. By default it asks for the call's end.
  virtual void on_abandoned() noexcept;
  /// Called when the result of part number `place` is there (see `join`). Returns what is to go on now, where
  /// continuations of that part run.
  virtual Executor::Task arrived(std::size_t place);

 private:
  void go_on();

  struct Next;
  struct Sync;
  std::unique_ptr<Sync> sync_;
};

template <class T>
class PendingState : public PendingCore {
 public:
  Result<T>& result() noexcept { return *result_; }
  const Result<T>& result() const noexcept { return *result_; }
  /// Whether the result was here.
  bool taken() const noexcept { return ready() && !result_; }
  /// The result, once it is there. Nobody waits for another.
  static Result<T> take(const std::shared_ptr<PendingState>& state);

 protected:
  /// Keeps the result. Called only while somebody wants it.
  virtual void store(Result<T> result) { result_ = std::move(result); }
  void complete_with(Result<T> result) {
    if (auto continuation = settle_with(std::move(result))) this->dispatch(std::move(continuation));
  }
  Executor::Task settle_with(Result<T> result) {
    struct Both {
      PendingState* self;
      Result<T>* result;
    } both{this, &result};
    return settle(
        [](void* context) {
          const auto& [self, stored] = *static_cast<Both*>(context);
          self->store(std::move(*stored));
        },
        &both);
  }

 private:
  Optional<Result<T>> result_;
};

/// The error of waiting for an answer that was taken or moved from.
inline Error nothing_to_wait_for() {
  return {.kind = ErrorKind::config, .detail = "there is no answer to wait for"};
}
/// The error of waiting on the loop's own thread.
inline Error would_wait_for_itself() {
  return {.kind = ErrorKind::config,
          .detail = "the event loop's thread cannot wait for an answer that it has to bring"};
}

template <class T>
Result<T> PendingState<T>::take(const std::shared_ptr<PendingState>& state) {
  if (!state || !state->result_) return nothing_to_wait_for();
  Result<T> result = *std::move(state->result_);
  state->result_.reset();
  state->release_owner();
  return result;
}

}  // namespace detail

/// The answer to a call under way. Wait for it in one of four ways: `get`, `wait_for`, `then`, `co_await`.
///
///     auto reply = client.chat.start(request);
///     ...
///     const auto& answer = co_await reply;     // or reply.get(), which blocks
///
/// Destroying it cancels the call and closes its connection. Used by one thread at a time.
template <class T>
class [[nodiscard]] Pending {
 public:
  using value_type = Result<T>;

  /// Empty: a place for a call. There is no answer to wait for.
  Pending() noexcept = default;
  /// For the library's own use. `owner` lives for as long as the result is waited for.
  explicit Pending(std::shared_ptr<detail::PendingState<T>> state, std::shared_ptr<void> owner = nullptr)
      : state_(std::move(state)) {
    state_->own(std::move(owner));
  }
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept {
    Pending gone(std::move(*this));
    state_ = std::move(other.state_);
    return *this;
  }
  ~Pending() {
    if (!state_) return;
    state_->abandon();
    state_->release_owner();
  }

  /// Whether there is an answer to wait for: not by default, nor after `get`, `then`, `co_await` or a move.
  /// Waiting without one gives Error{config} at once.
  bool valid() const noexcept { return state_ && !state_->taken(); }
  /// Whether `get` would return without waiting.
  bool ready() const noexcept { return !state_ || state_->ready(); }

  /// The answer; blocks until it is there. Error{config} on the loop's own thread, which would wait for
  /// itself.
  Result<T> get() {
    if (state_ && !state_->wait({})) return detail::would_wait_for_itself();
    return take();
  }
  /// Waits up to `limit`, and returns whether `get` would now return without waiting.
  bool wait_for(Duration limit) { return !state_ || state_->wait(limit); }

  /// Has `callback(Result<T>)` called with the answer: on the loop's thread, or where CallOptions::executor
  /// says. Without an executor, if nothing could be sent, it is called at once, on the calling thread, as it
  /// is where nobody holds the executor any more once the answer is there; given inside a callback that was
  /// called so, when that has returned: such calls do not pile up on the stack.
  /// What it throws goes to ClientOptions::log, never to the caller. The call goes on without this Pending,
  /// for as long as there is a client; CallOptions::cancel ends it.
  template <class Callback>
  void then(Callback callback) {
    if (!valid()) {
      return detail::PendingCore::call(
          [callback = std::move(callback)]() mutable { callback(Result<T>(detail::nothing_to_wait_for())); });
    }
    auto state = std::exchange(state_, nullptr);
    state->release_owner();
    auto& core = *state;
    core.then([state = std::move(state), callback = std::move(callback)]() mutable {
      callback(std::move(state->result()));
    });
  }

  /// Ends the call: the answer is Error{cancelled}, unless it is there already. On the thread that uses this
  /// Pending; from any other one by CallOptions::cancel.
  void cancel() {
    if (state_) state_->cancel();
  }

  /// The awaiter for coroutines.
  class Awaiter {
   public:
    explicit Awaiter(const Pending& pending) noexcept : state_(pending.state_) {}
    Awaiter(Awaiter&&) noexcept = default;
    ~Awaiter() {
      if (coroutine_ != nullptr) state_->withdraw(coroutine_);
    }

    bool await_ready() const noexcept { return !state_ || state_->ready(); }
    template <class Handle>
    bool await_suspend(Handle coroutine) {
      coroutine_ = coroutine.address();
      return state_->when_ready([](void* address) { Handle::from_address(address).resume(); }, coroutine_);
    }
    Result<T> await_resume() {
      coroutine_ = nullptr;
      return detail::PendingState<T>::take(std::exchange(state_, nullptr));
    }

   private:
    std::shared_ptr<detail::PendingState<T>> state_;  ///< the Pending may be moved meanwhile
    void* coroutine_{};                               ///< the coroutine that waits
  };
  /// For a coroutine of any type, which resumes where `then` would call, or at once if the answer is there
  /// already. GCC 12 destroys temporaries of a co_await twice: give it CallOptions that have a name. One that
  /// is destroyed while it waits, which has to happen there too, leaves the answer to whoever waits next.
  /// This may be moved meanwhile; once it is destroyed, nothing resumes.
  Awaiter operator co_await() noexcept { return Awaiter(*this); }

  /// For the library's own use.
  detail::PendingState<T>* state() const noexcept { return state_.get(); }
  /// For the library's own use: keeps the client no longer.
  void release_owner() noexcept {
    if (state_) state_->release_owner();
  }

 private:
  Result<T> take() { return detail::PendingState<T>::take(std::exchange(state_, nullptr)); }

  std::shared_ptr<detail::PendingState<T>> state_{};
};

}  // namespace inferwire::inline v0_1
