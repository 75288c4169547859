/// \file
/// The elements of a stream on a loop, in the order in which they arrive.
#pragma once

#include "client/call/need.hpp"
#include "client/call/runner.hpp"
#include "client/stream/element.hpp"
#include "client/stream/stream_core.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Reads elements and holds the last one. Not synchronized: only the thread that owns the stream uses it.
class StreamFeed {
 public:
  StreamFeed(std::shared_ptr<detail::Core> core, StreamPlan plan, Runner& runner, const ElementOps& ops);
  virtual ~StreamFeed() = default;

  /// Reads the next element, or the end. False: it has not arrived, and will not before `need()` is met.
  /// `ahead`: also keeps the elements that have arrived after it, for `read_kept`.
  bool read(bool ahead) noexcept;
  const Need& need() const noexcept { return stream_->need(); }
  /// After an element: reads the next one if it has arrived and none is kept. Anything else that has is left
  /// to `read`.
  bool read_arrived() noexcept;
  /// Advances to the next kept element. False: there is none.
  bool read_kept() noexcept;

  /// Whether the element that was read last is kept, and so remains valid until `read` returns another one.
  bool is_kept() const noexcept { return given_ > 0; }
  /// How many of the kept elements have been read.
  std::size_t given() const noexcept { return given_; }
  /// The kept element at `place`, a `const T*`. May run on one thread while `give_up` or `abandon` does on
  /// another.
  const void* kept_element(std::size_t place) const noexcept { return value_in(kept(place)); }

  /// What was read last, a `const Result<T>*`: an element, or the error of a stream that failed; nullptr at
  /// the end of a stream that did not fail.
  const void* result() const noexcept { return current_; }
  /// The element that was read last, a `const T*`; nullptr once the stream has ended.
  const void* element() const noexcept { return has_ended() ? nullptr : value_in(current_); }
  bool has_ended() const noexcept { return end_reason_ != EndReason::none; }
  /// How the stream ended: success, or its error. Valid once it has ended.
  Result<void> outcome() const noexcept;
  EndReason end_reason() const noexcept { return end_reason_; }

  /// Pauses the transport if more unread data has arrived than may be buffered. `read` resumes it.
  void limit_unread() noexcept;
  /// Ends the stream after an element, discarding what has arrived since, if its call was cancelled or has
  /// timed out by `now`. False: neither. Does not touch the kept elements.
  bool give_up(TimePoint now) noexcept;
  /// The time at which its call times out; TimePoint::max() for never.
  TimePoint ends_at() const noexcept { return stream_->ends_at(); }
  /// Closes the connection; the next `read` gives the reason.
  void hang_up() { stream_->hang_up(); }
  /// After that: ends the call now. Touches nothing that a reader on another thread may use.
  void end_cancelled() noexcept { stream_->end_cancelled(); }
  /// Ends the stream by an error without touching its call, whose thread may have been lost in the midst of
  /// it.
  void end_by(Error error);
  /// Destroys the call, when there is no reader any more. `untaken`: it has not taken the element that was
  /// read last.
  void abandon(bool untaken) noexcept;

  /// All that is known about the answer: its head before the end, everything after it.
  const ResponseInfo& info() const noexcept;
  /// The head as copied by `note_head` or `info`; empty before that. May be called from any thread.
  const ResponseInfo& early_info() const noexcept;
  /// Copies the head, which no longer changes, once it is known.
  void note_head() const noexcept;

 private:
  /// The element to decode into; it holds a value until the stream has failed.
  virtual void* value() noexcept = 0;
  virtual const void* decoded() const noexcept = 0;
  virtual void fail(Error error) = 0;
  virtual const Error& error() const noexcept = 0;
  /// Copies the decoded element after the `kept` elements that are kept already.
  virtual void keep(std::size_t kept) = 0;
  virtual const void* kept(std::size_t place) const noexcept = 0;
  virtual const void* value_in(const void* result) const noexcept = 0;

  const void* keep_what_arrived() noexcept;
  void end() noexcept;

  std::size_t buffer_bytes_;                    ///< unread bytes from which the transport is paused
  std::unique_ptr<detail::StreamCore> stream_;  ///< nullptr once the stream has ended
  const void* current_{};
  std::size_t kept_{};   ///< how many elements were read together
  std::size_t given_{};  ///< how many of those have been read
  bool unkept_{};        ///< one more was decoded, but there was no memory to keep it
  bool paused_{};
  EndReason end_reason_{EndReason::none};
  std::unique_ptr<ResponseInfo> info_;                     ///< complete; once the stream has ended
  mutable std::unique_ptr<const ResponseInfo> head_;       ///< a copy of the head, for use before the end
  mutable std::atomic<const ResponseInfo*> early_info_{};  ///< `head_`, once it is set
};

template <class T>
class StreamFeedOf final : public StreamFeed {
 public:
  StreamFeedOf(std::shared_ptr<detail::Core> core, StreamPlan plan, Runner& runner)
      : StreamFeed(std::move(core), std::move(plan), runner, element_ops<T>()) {}

 private:
  void* value() noexcept override { return &*element_; }
  const void* decoded() const noexcept override { return &element_; }
  void fail(Error error) override { element_ = std::move(error); }
  const Error& error() const noexcept override { return element_.error(); }
  void keep(std::size_t kept) override {
    if (kept < elements_.size()) {
      elements_[kept] = element_;
    } else {
      elements_.push_back(element_);
    }
  }
  const void* kept(std::size_t place) const noexcept override { return &elements_[place]; }
  const void* value_in(const void* result) const noexcept override {
    return &**static_cast<const Result<T>*>(result);
  }

  Result<T> element_;
  std::vector<Result<T>> elements_;  ///< the first `kept_` are kept; the others are reused
};

}  // namespace inferwire::inline v0_1::client
