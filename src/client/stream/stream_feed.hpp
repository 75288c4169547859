/// \file
/// The elements of a stream on a loop, in the order in which they arrive.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "client/call/runner.hpp"
#include "client/stream/element.hpp"
#include "client/stream/stream_core.hpp"

namespace inferwire::inline v0_1::detail {

/// Reads them and has the one that was read last. Knows nothing of readers: whoever has the turn uses it.
class StreamFeed {
 public:
  StreamFeed(std::shared_ptr<Core> core, StreamPlan plan, client::Runner& runner,
             const client::ElementOps& ops);
  virtual ~StreamFeed() = default;

  /// Reads the next element, or the end. False: it has not arrived, and does not before `need()` has come.
  /// `ahead`: keeps those that have arrived behind it, for `read_kept`.
  bool read(bool ahead) noexcept;
  const client::Need& need() const noexcept { return stream_->need(); }
  /// Moves on to the next of those that are kept. False: there is none.
  bool read_kept() noexcept;

  /// Whether the element that was read last is kept, and so stays until `read` gives another one.
  bool is_kept() const noexcept { return given_ > 0; }
  /// How many of those that are kept together have been read.
  std::size_t given() const noexcept { return given_; }
  /// The one of those at `place`, a `const T*`. May be called elsewhere while `give_up` or `abandon` is.
  const void* kept_element(std::size_t place) const noexcept { return value_in(kept(place)); }

  /// What was read last, a `const Result<T>*`: an element, or the error of a stream that failed; nullptr at
  /// the end of one that did not.
  const void* result() const noexcept { return current_; }
  /// The element that was read last, a `const T*`; nullptr once the stream has ended.
  const void* element() const noexcept { return ended_ ? nullptr : value_in(current_); }
  bool has_ended() const noexcept { return ended_; }
  /// What has become of a stream that has ended: success, or its error.
  Result<void> outcome() const;
  EndReason end_reason() const noexcept { return end_reason_; }

  /// Has the transport pause when more has arrived than may wait for a reader. `read` resumes it.
  void limit_unread() noexcept;
  /// Ends the stream after an element, whatever has arrived since, if its call was cancelled or is out of
  /// time by `now`. False: neither. Leaves the elements alone that are kept.
  bool give_up(TimePoint now) noexcept;
  /// The time at which its call is out of time; TimePoint::max() for never.
  TimePoint ends_at() const noexcept { return stream_->ends_at(); }
  /// Closes the connection; the next `read` tells why.
  void hang_up() { stream_->hang_up(); }
  /// Lets go of the call: nobody reads any more.
  void abandon() noexcept { stream_.reset(); }

  /// All that is known of the answer: its head at first, the rest at its end.
  const ResponseInfo& info() const noexcept;
  /// What was known of it when `note_head` or `info` was called first. From any thread.
  const ResponseInfo& early_info() const noexcept;
  /// Copies what no longer changes, once it is there.
  void note_head() const noexcept;

 private:
  /// The element to decode into; it holds a value until the stream has failed.
  virtual void* value() noexcept = 0;
  virtual const void* decoded() const noexcept = 0;
  virtual void fail(Error error) = 0;
  virtual const Error& error() const noexcept = 0;
  /// Copies the decoded element behind the `kept` that are kept already.
  virtual void keep(std::size_t kept) = 0;
  virtual const void* kept(std::size_t place) const noexcept = 0;
  virtual const void* value_in(const void* result) const noexcept = 0;

  const void* keep_what_arrived() noexcept;
  void end() noexcept;

  const client::ElementOps& ops_;
  std::size_t buffer_bytes_;            ///< most bytes that wait for a reader
  std::unique_ptr<StreamCore> stream_;  ///< nullptr once the stream has ended
  const void* current_{};
  std::size_t kept_{};   ///< how many elements were read together
  std::size_t given_{};  ///< how many of those have been the current one
  bool unkept_{};        ///< one more was decoded, which there was no memory to keep
  bool paused_{};
  bool ended_{};
  EndReason end_reason_{EndReason::none};
  std::unique_ptr<ResponseInfo> info_;                     ///< complete; once the stream has ended
  mutable std::unique_ptr<const ResponseInfo> head_;       ///< what it was then, for who asks before
  mutable std::atomic<const ResponseInfo*> early_info_{};  ///< `head_`, once it is there
};

template <class T>
class StreamFeedOf final : public StreamFeed {
 public:
  StreamFeedOf(std::shared_ptr<Core> core, StreamPlan plan, client::Runner& runner)
      : StreamFeed(std::move(core), std::move(plan), runner, client::element_ops<T>()) {}

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
  std::vector<Result<T>> elements_;  ///< the kept ones; more than `kept_` when there have been more
};

}  // namespace inferwire::inline v0_1::detail
