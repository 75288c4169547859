/// \file
/// The answer to a call that runs in the background.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/timeouts.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace inferwire::inline v0_1 {

namespace detail {

/// Shared by a Pending and the producer of its result. Safe from any thread.
class INFERWIRE_API PendingCore {
 public:
  PendingCore();
  virtual ~PendingCore();

  bool ready() const noexcept;
  /// Waits for the result, no longer than `limit` if there is one. False: it is not there, or cannot arrive
  /// while this thread waits.
  bool wait(const Optional<Duration>& limit);
  /// Has `resume(coroutine)` called once the result is there, where continuations of this call run; replaces
  /// an earlier continuation. False: it is there already, and nothing is called.
  bool when_ready(void (*resume)(void*), void* coroutine);
  /// Undoes `when_ready(coroutine)`; no effect once it has been resumed. Call it on the thread where the
  /// coroutine would be resumed.
  void withdraw(void* coroutine) noexcept;
  /// Has `continuation`, which keeps this object alive, called in the same way, even if the result is there
  /// already.
  void then(Executor::Task continuation);
  /// Calls `continuation` where continuations of this call run.
  virtual void dispatch(Executor::Task continuation) = 0;
  /// Whether continuations would run on the calling thread, once the result is there.
  virtual bool dispatches_here() const noexcept = 0;
  /// Calls `continuation`. Exceptions from it are dropped: there is no log.
  static void call(Executor::Task continuation) noexcept;
  /// Makes this call part number `place` of `whole`: the thread that delivers the result calls
  /// `whole->arrived(place)`. Replaces an earlier continuation. Afterwards `whole` is the one that this call
  /// was part of before, which the caller has to tell by `displaced`; nullptr: none. False: the result is
  /// there already, and nothing is called.
  bool join(std::shared_ptr<PendingCore>& whole, std::size_t place);
  /// Another waiter has taken the place of this one at one of its parts, or the part was abandoned.
  virtual void displaced();

  /// Whether the calling thread is the one that has to deliver the result.
  virtual bool is_here() const noexcept = 0;
  /// In a child of fork(), which lacks the thread that has to deliver the result: settles with an error. Does
  /// nothing by default.
  virtual void end_if_lost();
  /// Cancels the call: the result, if it is not there yet, is Error{cancelled}.
  virtual void cancel() noexcept = 0;
  /// Keeps `owner` alive until `release_owner`.
  void own(std::shared_ptr<void> owner) noexcept;
  virtual void release_owner() noexcept;
  /// The caller's handle is destroyed: the result is no longer needed. May run the waiter of a whole.
  void abandon() noexcept;

 protected:
  /// Stores the result by `store(context)`, unless it is no longer needed. Returns the continuation to run
  /// now, if any. The caller keeps this object alive meanwhile.
  Executor::Task settle(void (*store)(void* context), void* context);

  /// `continuation`, which keeps `owner` alive. Waits for memory for it, if there is none: nobody could be
  /// told that it is lost.
  static Executor::Task keeping(std::shared_ptr<void> owner, Executor::Task continuation) noexcept;

  /// Called by `abandon` if the result is not there yet. Cancels the call by default.
  virtual void on_abandoned() noexcept;
  /// Called when the result of part number `place` is there (see `join`). Returns the continuation to run
  /// now, where continuations of that part run.
  virtual Executor::Task arrived(std::size_t place);

 private:
  void go_on();

  struct Next;
  struct Sync;
  std::unique_ptr<Sync> sync_;
};

/// What a Pending<T> settles with.
template <class T>
struct Settled {
  using Type = Result<T>;
  static Type failed(Error error) { return error; }
};
/// A collected answer has a place for its error.
template <class Response>
struct Settled<Collected<Response>> {
  using Type = Collected<Response>;
  static Type failed(Error error) { return {.response = {}, .error = std::move(error)}; }
};

template <class T>
class PendingState : public PendingCore {
 public:
  using Outcome = typename Settled<T>::Type;

  Outcome& result() noexcept { return *result_; }
  const Outcome& result() const noexcept { return *result_; }
  /// Whether the result was there and has been taken.
  bool taken() const noexcept { return ready() && !result_; }
  /// Takes the result, which is there.
  static Outcome take(const std::shared_ptr<PendingState>& state);

 protected:
  /// Stores the result. Called only while it is needed.
  virtual void store(Outcome result) { result_ = std::move(result); }
  void complete_with(Outcome result) {
    if (auto continuation = settle_with(std::move(result))) this->dispatch(std::move(continuation));
  }
  Executor::Task settle_with(Outcome result) {
    struct Both {
      PendingState* self;
      Outcome* result;
    } both{this, &result};
    return settle(
        [](void* context) {
          const auto& [self, stored] = *static_cast<Both*>(context);
          self->store(std::move(*stored));
        },
        &both);
  }

 private:
  Optional<Outcome> result_;
};

/// These wait for Pendings: see when.hpp.
template <class T>
class AllOf;
template <class T>
class AnyOf;

/// The error of waiting on a Pending whose answer was taken, or that was moved from.
inline Error nothing_to_wait_for() {
  return {.kind = ErrorKind::config, .detail = "there is no answer to wait for"};
}
/// The error of waiting on the loop's own thread.
inline Error would_wait_for_itself() {
  return {.kind = ErrorKind::config,
          .detail = "the event loop's thread cannot wait for an answer that it has to bring"};
}

template <class T>
typename PendingState<T>::Outcome PendingState<T>::take(const std::shared_ptr<PendingState>& state) {
  if (!state || !state->result_) return Settled<T>::failed(nothing_to_wait_for());
  Outcome result = *std::move(state->result_);
  state->result_.reset();
  state->release_owner();
  return result;
}

}  // namespace detail

/// The answer to a call in progress. Wait for it in one of four ways: `get`, `wait_for`, `then` or
/// `co_await`.
///
///     auto reply = client.chat.start(request);
///     ...
///     const auto& answer = co_await reply;     // or reply.get(), which blocks
///
/// Destroying the Pending cancels the call and closes its connection. Used by one thread at a time.
template <class T>
class [[nodiscard("destroying it cancels the call: keep it, or use then")]] Pending {
 public:
  /// What waiting gives: a Result<T>. A Collected holds its error itself, and is given as it is.
  using value_type = typename detail::Settled<T>::Type;

  /// Empty, to be assigned later: there is no answer to wait for.
  Pending() noexcept = default;
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

  /// Whether there is an answer to wait for: false for a default-constructed Pending, and after `get`,
  /// `then`, `co_await` or a move. Waiting without one returns Error{config} at once.
  bool valid() const noexcept { return state_ && !state_->taken(); }
  /// Whether `get` would return without waiting.
  bool ready() const noexcept { return !state_ || state_->ready(); }

  /// The answer; blocks until it has arrived. Error{config} on the event loop's own thread, which would wait
  /// for itself.
  value_type get() {
    if (state_ && !state_->wait({})) return detail::Settled<T>::failed(detail::would_wait_for_itself());
    return take();
  }
  /// Waits up to `limit`, and returns whether `get` would now return without waiting.
  bool wait_for(Duration limit) { return !state_ || state_->wait(limit); }

  /// Has `callback(value_type)` called with the answer: on the event loop's thread, or where
  /// CallOptions::executor says. An exception from it goes to ClientOptions::log, never to the caller. The
  /// call no longer needs this Pending: it continues as long as there is a client, and CallOptions::cancel
  /// cancels it. The callback is called in any case, after that with Error{cancelled}: if it uses an object
  /// that may be gone by then, let it hold a std::weak_ptr.
  ///
  /// If nothing could be sent and there is no executor, or if the answer is there and the executor no longer
  /// exists, the callback runs immediately on the calling thread. Callbacks registered from inside such a
  /// callback run after it has returned, so that they do not nest; or earlier, if it runs a batch.
  template <class Callback>
  void then(Callback callback) {
    if (!valid()) {
      return detail::PendingCore::call([callback = std::move(callback)]() mutable {
        callback(detail::Settled<T>::failed(detail::nothing_to_wait_for()));
      });
    }
    auto state = std::exchange(state_, nullptr);
    state->release_owner();
    auto& core = *state;
    core.then([state = std::move(state), callback = std::move(callback)]() mutable {
      callback(std::move(state->result()));
    });
  }

  /// Cancels the call: the answer is Error{cancelled}, unless it is there already. Call it on the thread that
  /// uses this Pending; to cancel from another thread, use CallOptions::cancel.
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
    value_type await_resume() {
      coroutine_ = nullptr;
      return detail::PendingState<T>::take(std::exchange(state_, nullptr));
    }

   private:
    std::shared_ptr<detail::PendingState<T>> state_;  ///< the Pending may be moved meanwhile
    void* coroutine_{};                               ///< the coroutine that waits
  };
  /// Can be awaited in a coroutine whose promise accepts any awaitable. It resumes where `then` would run its
  /// callback, or at once if the answer is there already. A waiting coroutine may be destroyed, but only on
  /// the thread where it would resume (an executor must have one thread for that, or be a strand); the answer
  /// then goes to the next waiter. The Pending may be moved meanwhile; once it is destroyed, the coroutine is
  /// not resumed. GCC 12 destroys temporaries in a co_await expression twice: with it, put CallOptions into a
  /// named variable.
  Awaiter operator co_await() noexcept { return Awaiter(*this); }

 private:
  friend struct detail::HandleAccess;
  friend class detail::AllOf<T>;
  friend class detail::AnyOf<T>;

  /// `owner` is kept alive as long as the result is waited for.
  explicit Pending(std::shared_ptr<detail::PendingState<T>> state, std::shared_ptr<void> owner = nullptr)
      : state_(std::move(state)) {
    state_->own(std::move(owner));
  }
  detail::PendingState<T>* state() const noexcept { return state_.get(); }
  /// Stops keeping the client alive.
  void release_owner() noexcept {
    if (state_) state_->release_owner();
  }
  value_type take() { return detail::PendingState<T>::take(std::exchange(state_, nullptr)); }

  std::shared_ptr<detail::PendingState<T>> state_{};
};

}  // namespace inferwire::inline v0_1
