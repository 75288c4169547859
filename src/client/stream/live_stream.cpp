#include "client/stream/live_stream.hpp"

#include "client/request_writer.hpp"
#include "client/stream/misuse.hpp"
#include "client/stream/stream_fold.hpp"
#include "client/thrown.hpp"

#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

// After this many elements of one stream the other jobs of the loop get a turn: enough that a pass of the
// loop costs less than the elements.
constexpr int most_in_a_row = 512;

}  // namespace

StreamPlan LiveStream::plan_of_feed(StreamPlan plan) const {
  plan.options.cancel = stopped();
  plan.options.executor.reset();  // the job has it
  forget_written(plan.options);
  plan.why_stopped = &thrown_;
  return plan;
}

bool LiveStream::ask() {
  if (use_ != Use::read) return true;
  if (looked_for_) return wait(Duration::zero());
  if (arrived_.load(std::memory_order_acquire)) return true;
  if (read_kept()) {
    arrived_.store(true, std::memory_order_relaxed);
    return true;
  }
  if (feed_->has_ended() || end_by_loss()) return true;
  // On the loop's thread, data that has already been received is read without suspending the reader.
  if (has_executor() || !loop().is_here() || loop().is_driving() || !begun_) return false;
  return ++in_a_row_ < most_in_a_row && advance();
}

bool LiveStream::wait(const Optional<Duration>& limit) {
  if (use_ != Use::read) return true;
  const bool here = loop().is_here();
  if (!looked_for_) {
    if (ask()) return true;
    if (!signal_) signal_ = std::make_unique<ElementSignal>();
    feed_->note_head();
    ask_loop(Waiter::looker);
  }
  const bool cannot_arrive = here || loop().is_lost();
  looked_for_ = !signal_->take(cannot_arrive ? Duration::zero() : limit);
  return !looked_for_ || end_by_loss();
}

void LiveStream::suspend(Executor::Task resume) {
  // Once the loop is asked, the reader may resume on another thread and destroy the stream.
  const auto alive = shared_from_this();
  reader_ = std::move(resume);
  if (take_over(Waiter::reader)) return;
  handover_.resume_by_task();
  tell_reader();
}

void LiveStream::withdraw() noexcept {
  if (!signal_) signal_ = std::make_unique<ElementSignal>();
  looked_for_ = handover_.withdraw_reader();
  reader_ = {};
}

/// Makes `who` the waiter for the next element, which a looker may already wait for or have been notified of.
/// False: the stream is over.
bool LiveStream::take_over(Waiter who) {
  if (end_by_loss()) return false;
  if (std::exchange(looked_for_, false)) {
    if (handover_.replace_looker(who)) return true;
    signal_->take({});  // the element has arrived in the meantime
  }
  if (feed_->has_ended()) return false;
  ask_loop(who);
  return true;
}

/// Once the loop is asked, the reader may resume on another thread.
void LiveStream::ask_loop(Waiter who) noexcept {
  const bool here = loop().is_here();
  handover_.ask_for(who);
  if (!here) return wake();
  feed_->limit_unread();
  loop().ready(*this);
}

const void* LiveStream::take() {
  if (use_ != Use::read) return nullptr;
  if (!arrived_.load(std::memory_order_relaxed)) return nullptr;  // the end has been taken
  arrived_.store(false, std::memory_order_relaxed);
  if (!feed_->has_ended()) taken_ = true;
  return feed_->result();
}

/// Calls the listener with everything that follows, or, if the stream is over, with the end at once.
void LiveStream::listen(std::unique_ptr<detail::StreamListener> listener) {
  const auto alive = shared_from_this();  // the listener may destroy the stream
  if (use_ != Use::read) return tell_end(*listener, listened_to_already());
  use_ = Use::listened_to;
  listener_ = std::move(listener);
  if (take_over(Waiter::listener)) return;
  if (callbacks().is_called_here()) return tell_end(*std::exchange(listener_, nullptr), feed_->outcome());
  post_listener();  // not by `deliver`: the loop's thread may still be in `run`, and would deliver too
}

void LiveStream::tell_end(detail::StreamListener& listener, Result<void> outcome) noexcept {
  callbacks().call([&] { listener.on_end(std::move(outcome)); });
}

void LiveStream::collect(const std::shared_ptr<detail::StreamFold>& fold,
                         std::unique_ptr<detail::StreamListener> listener) {
  if (use_ != Use::read || (!looked_for_ && handover_.waiter() != Waiter::nobody)) {
    return fold->end(read_already());
  }
  use_ = Use::collected;
  fold_ = fold;
  listener_ = std::move(listener);
  if (!take_over(Waiter::fold)) end_fold();
}

/// Ends the stream if its loop is lost, whoever waited for an element. False: it is not.
bool LiveStream::end_by_loss() {
  if (!loop().is_lost()) return false;
  if (!feed_->has_ended()) {
    feed_->end_by(detail::Loop::lost());
    arrived_.store(true, std::memory_order_relaxed);
  }
  handover_.clear();
  looked_for_ = false;
  return true;
}

/// The listener stays: a task may be running it on this thread, which forked.
void LiveStream::end_if_lost() {
  if (handover_.waiter() != Waiter::fold || !end_by_loss()) return;
  task_.withdraw();
  if (const auto fold = fold_.lock()) fold->end(detail::Loop::lost());
}

void LiveStream::abandon_fold() noexcept { leave(); }

void LiveStream::abandon() noexcept {
  if (use_ != Use::collected) leave();  // otherwise the fold owns the stream
}

void LiveStream::leave() noexcept {
  // The listener may refer to objects that are destroyed with the reader, so wait for it, but not on the
  // loop's thread: the callback may itself wait for the loop.
  if (guard_.close() && !loop().is_here() && !loop().is_lost()) guard_.wait();
  wake();
}

void LiveStream::run() {
  struct Leave {
    LiveStream& stream;
    ~Leave() { stream.before_user_code(); }
  } const leave{*this};
  if (is_abandoned()) {
    feed_->abandon(arrived_.load(std::memory_order_relaxed));
    callbacks().let_go_of_executor();
    return finish();
  }
  in_a_row_ = 0;
  begun_ = true;
  while (handover_.is_awaited() && !is_abandoned()) {
    if (task_.is_out()) return watch_task();
    if (!task_threw_.empty()) {
      thrown_ = std::exchange(task_threw_, {});
      stop();
    }
    if (++in_a_row_ > most_in_a_row) {
      before_user_code();  // from here on the transport runs, which may be the user's
      feed_->limit_unread();
      return loop().ready(*this);
    }
    const bool left = arrived_.load(std::memory_order_relaxed);  // delivered to a looker and not taken
    if (!left && !read_kept() && !advance()) return;
    deliver();
  }
  before_user_code();
  if (feed_->has_ended()) return;
  feed_->limit_unread();
  // The reader sees the cancellation when it asks for the next element; the connection is closed before that.
  if (!is_stopped() || is_abandoned()) return;
  feed_->hang_up();
  // A listener comes back, and may have a reason of its own; other readers may never ask again.
  if (told_ != Waiter::listener) feed_->end_cancelled();
}

/// Reads the next element, or the end. False: it has not arrived.
bool LiveStream::advance() {
  if (!feed_->read(is_elsewhere())) {
    await(feed_->need());
    return false;
  }
  if (feed_->has_ended()) finish();
  arrived_.store(true, std::memory_order_release);
  return true;
}

/// May be called while a looker waits: the loop's thread does not change `early_info` then.
const ResponseInfo& LiveStream::info() const noexcept {
  return is_at_rest() ? feed_->info() : feed_->early_info();
}

/// Tells whoever waits.
void LiveStream::deliver() {
  const auto who = handover_.hand_over();
  if (!feed_->has_ended()) told_ = who;
  if (who == Waiter::fold) return tell_fold();
  if (who == Waiter::looker) return signal_->notify();
  if (who == Waiter::reader) return tell_reader();
  if (has_executor()) return post_listener();
  callbacks().call([this] { tell_listener(); });
}

/// Has the executor call the listener, unless the reader has left by then.
void LiveStream::post_listener() {
  dispatch_told(task_of([this, stream = weak_from_this()] {
    if (const auto alive = stream.lock()) tell_listener();
  }));
}

void LiveStream::tell_reader() {
  if (has_executor() || !loop().is_here()) {
    // By the time the executor runs this, the reader may be gone, or a new one may be waiting that is not to
    // be resumed yet. The executor may never run it: its tasks must own nothing that owns the executor.
    return dispatch_told(task_of([this, stream = weak_from_this()] {
      const auto alive = stream.lock();
      if (alive && !is_abandoned() && handover_.take_resumption()) std::exchange(reader_, {})();
    }));
  }
  handover_.clear();
  if (!is_abandoned()) dispatch_user(std::exchange(reader_, {}));
}

/// Runs `calls`, which call the listener, unless the reader has left. The guard is released before an
/// exception propagates: it is reported to the log, which is user code as well.
template <class Calls>
void LiveStream::tell(Calls&& calls) {
  const bool stays = !has_executor();
  if (!guard_.begin(stays)) return;
  try {
    calls();
  } catch (...) {
    stays ? before_user_code() : guard_.end();
    throw;
  }
  if (!stays) guard_.end();
}

/// Calls the listener with what has arrived, on the thread it must be called on. The listener waits for the
/// next element once it has returned; an exception from it stops the stream.
void LiveStream::tell_listener() {
  struct Resume {
    LiveStream& stream;
    ~Resume() {
      stream.arrived_.store(false, std::memory_order_relaxed);
      if (stream.feed_->has_ended()) return;
      stream.handover_.ask_for(Waiter::listener);
      if (stream.has_executor()) stream.wake();
    }
  } const resume{*this};
  do {
    tell([this] {
      if (feed_->has_ended()) {
        const auto listener = std::move(listener_);
        return listener->on_end(feed_->outcome());
      }
      do tell_element();
      while (has_executor() && !is_abandoned() && read_kept());
    });
  } while (reads_on());
}

/// On the loop's thread: reads another element for the listener, if it has arrived.
bool LiveStream::reads_on() noexcept {
  if (has_executor() || feed_->has_ended() || is_abandoned() || is_stopped()) return false;
  return ++in_a_row_ < most_in_a_row && feed_->read_arrived();
}

void LiveStream::tell_element() {
  try {
    listener_->on_event(feed_->element());
  } catch (...) {
    thrown_ = thrown_by("the listener");
    stop();
    throw;
  }
}

/// Adds the element to the fold, which remains the waiter until the end.
void LiveStream::tell_fold() {
  arrived_.store(false, std::memory_order_relaxed);
  if (feed_->has_ended()) {
    handover_.clear();
    const bool posted = listener_ && has_executor();
    end_fold();
    // The last task may not have returned yet, and must not hold the last reference to the executor.
    if (posted) callbacks().let_go_of_executor();
    return;
  }
  const auto fold = fold_.lock();
  if (!fold) return;
  if (listener_) feed_->note_head();  // it may call `info`
  if (listener_ && has_executor()) return post_elements(*fold);
  fold->add(feed_->element());
  if (!listener_) return;
  callbacks().call([this] { tell([this] { tell_element(); }); });
}

/// Called when no other thread uses the stream: destroys the listener and completes the answer.
void LiveStream::end_fold() {
  listener_.reset();
  const auto fold = fold_.lock();
  if (!fold) return;
  if (auto told = feed_->outcome(); !told) return fold->end(std::move(told).error());
  fold->end(taken_ ? std::optional(partly_read()) : std::nullopt);
}

/// Folds what has arrived and posts a task that calls the listener with it. Until it ends, nothing is read.
void LiveStream::post_elements(detail::StreamFold& fold) {
  if (!feed_->is_kept()) {  // for lack of memory
    thrown_ = no_memory;
    return stop();
  }
  const auto from = feed_->given() - 1;
  do fold.add(feed_->element());
  while (read_kept());
  task_.post();
  dispatch_user(task_of([this, stream = weak_from_this(), from, to = feed_->given()] {
    if (const auto alive = stream.lock()) tell_posted(from, to);
  }));
}

/// Calls the listener with the kept elements in [from, to), on the task's thread. The loop may end the call
/// meanwhile, and then leaves completing the answer to this function.
void LiveStream::tell_posted(std::size_t from, std::size_t to) {
  if (!task_.begin()) return;
  callbacks().call([&] {
    tell([&] {
      try {
        for (; from < to && !is_stopped() && !is_abandoned(); ++from) {
          listener_->on_event(feed_->kept_element(from));
        }
      } catch (...) {
        task_threw_ = thrown_by("the listener");
        throw;
      }
    });
  });
  if (task_.end()) return wake();
  end_fold();
}

/// While the task is out: ends the call nevertheless if it was cancelled or has timed out. The executor may
/// be busy forever, or wait for the loop to end.
void LiveStream::watch_task() {
  if (!feed_->give_up(loop().looked_at())) {
    feed_->limit_unread();
    return loop().set_timer(*this, feed_->ends_at());
  }
  stop();  // the listener is called with no further element
  finish();
  // Kept alive until this returns: the task must not hold the last reference to it.
  const auto executor = callbacks().let_go_of_executor();
  handover_.clear();
  if (task_.withdraw()) end_fold();
}

void LiveStream::heard() noexcept {
  // If there is a waiter, all of the data is read before more can arrive.
  if (!handover_.is_awaited() || task_.is_out()) feed_->limit_unread();
  Job::heard();
}

}  // namespace inferwire::inline v0_1::client
