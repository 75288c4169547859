/// \file
/// Hands a stream back and forth between its reader and its loop.
#pragma once

#include <atomic>
#include <cstdint>

namespace inferwire::inline v0_1::client {

/// Who waits for the next element of a stream, and so which thread may touch what.
enum class Waiter : std::uint8_t {
  nobody,    ///< the reader owns all except the call, which the loop pauses and closes
  resuming,  ///< nobody: a posted task is to resume the reader
  reader,    ///< a coroutine; the loop owns all
  looker,    ///< a thread that polls or blocks; the loop owns all
  listener,  ///< the loop owns all
  fold,      ///< the loop owns all, except what a task that it has posted uses
};

/// The loop owns a stream from `ask_for` on. After `hand_over` it tells the waiter, who owns the stream then.
/// Reading the waiter acquires what the other side has written, and setting it releases what this one has.
class Handover {
 public:
  Waiter waiter() const noexcept { return waiter_.load(std::memory_order_acquire); }
  /// Whether the loop has to deliver an element.
  bool is_awaited() const noexcept { return waiter() > Waiter::resuming; }
  /// Nobody waits any more: a fold has ended, a coroutine is resumed without a task, or the loop is lost.
  void clear() noexcept { waiter_.store(Waiter::nobody, std::memory_order_release); }

  // The reader's side.

  /// Has the loop deliver the next element, or the end, to `who`.
  void ask_for(Waiter who) noexcept { waiter_.store(who, std::memory_order_release); }
  /// Puts `who` in the place of a looker. False: the looker is being told.
  bool replace_looker(Waiter who) noexcept {
    auto looker = Waiter::looker;
    return waiter_.compare_exchange_strong(looker, who);
  }
  /// Has a task resume the reader without the loop: the stream is over.
  void resume_by_task() noexcept { waiter_.store(Waiter::resuming, std::memory_order_release); }
  /// Puts a looker in the place of a coroutine. False: the element is there, and its task will not resume the
  /// coroutine. Runs where such tasks do.
  bool withdraw_reader() noexcept {
    auto reader = Waiter::reader;
    if (waiter_.compare_exchange_strong(reader, Waiter::looker)) return true;
    take_resumption();
    return false;
  }

  // A task that was posted to resume the reader.

  /// Whether the reader is to be resumed. The task may be an earlier reader's, who has withdrawn: if it comes
  /// before this one's, it resumes this one.
  bool take_resumption() noexcept {
    auto resuming = Waiter::resuming;
    return waiter_.compare_exchange_strong(resuming, Waiter::nobody);
  }

  // The loop's side.

  /// There is an element, or the end: returns the waiter, whom the reader may replace until then, unless it
  /// is a listener. A fold remains.
  Waiter hand_over() noexcept {
    auto who = waiter();
    if (who == Waiter::listener) return clear(), who;  // without an exchange, which would cost more
    const auto next = [&who] { return who == Waiter::reader ? Waiter::resuming : Waiter::nobody; };
    while (who != Waiter::fold && !waiter_.compare_exchange_weak(who, next())) {}
    return who;
  }

 private:
  std::atomic<Waiter> waiter_{Waiter::nobody};
};

}  // namespace inferwire::inline v0_1::client
