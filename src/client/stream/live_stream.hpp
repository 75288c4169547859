/// \file
/// A streamed call on an event loop, and the delivery of its elements to their reader.
#pragma once

#include "client/loop/job.hpp"
#include "client/stream/callback_guard.hpp"
#include "client/stream/element_signal.hpp"
#include "client/stream/handover.hpp"
#include "client/stream/posted_task.hpp"
#include "client/stream/stream_feed.hpp"
#include "inferwire/async_stream.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1::client {

/// A reader on another thread owns the elements from the notification of one until it asks for the next: the
/// loop's thread does not touch them in between. A round trip to the loop takes such a reader longer than an
/// element does, up to one frame of a game: it gets everything else that has arrived with the first element.
class LiveStream final : public detail::AsyncStreamCore, public Job {
 public:
  /// A stream of elements of type `T`.
  template <class T>
  LiveStream(std::type_identity<T>, detail::Core& core, std::shared_ptr<detail::Loop> loop, StreamPlan plan)
      : Job(core, std::move(loop), plan.options),
        feed_(std::make_unique<StreamFeedOf<T>>(shared_core(), plan_of_feed(std::move(plan)), *this)) {}

  bool ask() override;
  bool wait(const Optional<Duration>& limit) override;
  void suspend(Executor::Task resume) override;
  void withdraw() noexcept override;
  const void* take() override;
  void listen(std::unique_ptr<detail::StreamListener> listener) override;
  void collect(const std::shared_ptr<detail::StreamFold>& fold,
               std::unique_ptr<detail::StreamListener> listener) override;
  void abandon_fold() noexcept override;
  void dispatch(Executor::Task continuation) override { dispatch_last(std::move(continuation)); }
  bool dispatches_here() const noexcept override { return runs_user_here(); }
  bool is_here() const noexcept override { return loop().is_here(); }
  void end_if_lost() override;
  void cancel() noexcept override { stop(); }
  void abandon() noexcept override;
  const ResponseInfo& info() const noexcept override;
  EndReason end_reason() const noexcept override {
    return is_at_rest() ? feed_->end_reason() : EndReason::none;
  }

  void run() override;
  void heard() noexcept override;
  void before_user_code() noexcept override { guard_.pause(); }

 private:
  /// How the reader uses the stream. It can listen or collect only once.
  enum class Use : std::uint8_t { read, listened_to, collected };

  /// For the reader: whether it is not waiting. The loop's thread does not touch the elements then.
  bool is_at_rest() const noexcept { return !looked_for_ && !handover_.is_awaited(); }
  bool is_abandoned() const noexcept { return guard_.is_closed(); }
  /// Whether elements are read on another thread, and so handed over several at a time.
  bool is_elsewhere() const noexcept {
    const auto who = handover_.waiter();
    if (who == Waiter::fold && !listener_) return false;
    return has_executor() || who == Waiter::looker;
  }

  StreamPlan plan_of_feed(StreamPlan plan) const;
  void tell_end(detail::StreamListener& listener, Result<void> outcome) noexcept;
  bool end_by_loss();
  void leave() noexcept;
  bool advance();
  bool read_kept() noexcept { return !is_stopped() && feed_->read_kept(); }
  bool take_over(Waiter who);
  void ask_loop(Waiter who) noexcept;

  void deliver();
  void dispatch_told(Executor::Task task) {
    return feed_->has_ended() ? dispatch_last(std::move(task)) : dispatch_user(std::move(task));
  }
  void post_listener();
  void tell_reader();
  template <class Calls>
  void tell(Calls&& calls);
  void tell_listener();
  bool reads_on() noexcept;
  void tell_element();
  void tell_fold();
  void end_fold();
  void post_elements(detail::StreamFold& fold);
  void tell_posted(std::size_t from, std::size_t to);
  void watch_task();

  Handover handover_;
  std::atomic<bool> arrived_{false};       ///< an element, or the end, that the reader has not taken
  Use use_{Use::read};                     ///< reader only
  bool looked_for_{};                      ///< reader only: it asked for an element and returned without it
  bool taken_{};                           ///< reader only, until it collects: it has taken an element
  bool begun_{};                           ///< the loop has run this job
  Waiter told_{Waiter::nobody};            ///< who was told of the last element
  int in_a_row_{};                         ///< elements read since other jobs of the loop last had a turn
  Executor::Task reader_;                  ///< resumes the reader when there is an element
  std::unique_ptr<ElementSignal> signal_;  ///< notifies `wait`, on another thread, of an element
  std::unique_ptr<detail::StreamListener> listener_;  ///< called with each element, for a reader or a fold
  std::weak_ptr<detail::StreamFold> fold_;            ///< owns this stream
  std::string thrown_;                                ///< what the listener threw; empty: nothing
  PostedTask task_;                                   ///< calls the listener with elements that were folded
  std::string task_threw_;  ///< what the listener threw in `task_`, which owns this while it is out
  CallbackGuard guard_;     ///< whether the listener may be called; stays entered on the loop's thread
  std::unique_ptr<StreamFeed> feed_;  // last: its call refers to the members above
};

}  // namespace inferwire::inline v0_1::client
