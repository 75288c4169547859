/// \file
/// Waiting for several calls at once.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/export.hpp"
#include "inferwire/pending.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace detail {

/// Counts arrivals, from any thread.
class INFERWIRE_API Countdown {
 public:
  explicit Countdown(std::size_t parts);
  ~Countdown();
  /// Counts one arrival. Returns whether it was the last of the parts; false for any after that.
  bool arrived() noexcept;
  /// Remembers the place of a part that is about to arrive.
  void note(std::size_t place) noexcept;
  /// The place that was noted last; the greatest number if none was.
  std::size_t noted() const noexcept;

 private:
  struct Missing;
  std::unique_ptr<Missing> missing_;
};

/// A result made of other results by the thread that delivers the last one needed. It needs no executor,
/// since the executor's thread may be waiting for it. Its continuations run where those of that last one do.
template <class T>
class Derived : public PendingState<T>, public std::enable_shared_from_this<Derived<T>> {
 protected:
  /// Settles with the result, and returns the continuation to run, which keeps this object alive.
  Executor::Task finish(Result<T> result) {
    auto continuation = this->settle_with(std::move(result));
    if (!continuation) return continuation;
    // The waiter, and this object with it, may be destroyed before an executor runs the continuation.
    return this->keeping(this->shared_from_this(), std::move(continuation));
  }
};

/// Makes calls parts of a whole, one after the other.
class Joining {
 public:
  explicit Joining(std::shared_ptr<PendingCore> whole) : whole_(std::move(whole)) {}
  /// False: the result of `part` is there already.
  bool join(PendingCore& part, std::size_t place) {
    auto other = whole_;
    if (!part.join(other, place)) return false;
    if (other) displaced_.push_back(std::move(other));
    return true;
  }
  /// Tells the wholes whose place was taken. Their waiters may run.
  void finish() {
    for (const auto& other : displaced_) other->displaced();
  }

 private:
  std::shared_ptr<PendingCore> whole_;
  std::vector<std::shared_ptr<PendingCore>> displaced_{};
};

template <class T>
class AllOf final : public Derived<std::vector<typename Pending<T>::value_type>> {
 public:
  explicit AllOf(std::vector<Pending<T>> parts) : parts_(std::move(parts)), missing_(parts_.size() + 1) {}

  void begin() {
    results_.reserve(parts_.size());  // where a lack of memory can be told
    Joining joining(this->shared_from_this());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].valid()) {
        count();
      } else if (!joining.join(*parts_[i].state(), i)) {
        arrived(i);
      }
    }
    count();
    joining.finish();
  }
  void cancel() noexcept override {
    const auto alive = this->shared_from_this();  // the last part to end may resume its waiter here
    for (auto& part : parts_) part.cancel();
  }
  void release_owner() noexcept override {
    for (auto& part : parts_) part.release_owner();
  }
  bool is_here() const noexcept override {
    for (auto& part : parts_) {
      if (part.valid() && !part.ready() && part.state()->is_here()) return true;
    }
    return false;
  }
  void end_if_lost() override {
    const auto alive = this->shared_from_this();  // the last part to end may resume its waiter here
    for (auto& part : parts_) {
      if (!part.ready()) part.state()->end_if_lost();
    }
  }

 private:
  void dispatch(Executor::Task continuation) override {
    if (const auto* last = last_part()) return last->state()->dispatch(std::move(continuation));
    this->call(std::move(continuation));
  }
  bool dispatches_here() const noexcept override {
    const auto* const last = last_part();
    return last == nullptr || last->state()->dispatches_here();
  }
  /// The part that ended last; nullptr if there is none.
  const Pending<T>* last_part() const noexcept {
    const auto last = missing_.noted();
    return last < parts_.size() ? &parts_[last] : nullptr;
  }
  /// Abandons each part as if it were destroyed. The handles stay, since another thread may be reading them.
  void on_abandoned() noexcept override {
    for (auto& part : parts_) {
      if (part.valid()) part.state()->abandon();
    }
    for (auto& part : parts_) part.release_owner();
  }
  Executor::Task arrived(std::size_t place) override {
    missing_.note(place);
    return count();
  }
  Executor::Task count() {
    if (!missing_.arrived()) return {};
    for (auto& part : parts_) {
      // Taken from the state, not through the handles, which the waiter may be reading.
      results_.push_back(part.valid() ? std::move(part.state()->result())
                                      : Settled<T>::failed(nothing_to_wait_for()));
    }
    return this->finish(std::move(results_));
  }

  std::vector<Pending<T>> parts_;
  std::vector<typename Pending<T>::value_type> results_;
  Countdown missing_;  ///< the parts, and their list
};

template <class T>
class AnyOf final : public Derived<std::size_t> {
 public:
  explicit AnyOf(std::vector<Pending<T>>& parts) : parts_(parts), lost_(parts.size() + 1) {}

  void begin() {
    Joining joining(this->shared_from_this());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].valid()) {
        lose();
      } else if (!joining.join(*parts_[i].state(), i)) {
        arrived(i);
        break;
      }
    }
    lose();
    joining.finish();
  }
  void displaced() override { lose(); }
  /// The calls themselves are not cancelled.
  void cancel() noexcept override {
    if (!first_.arrived()) return;
    this->complete_with(Error{.kind = ErrorKind::cancelled, .detail = std::string(cancelled_by_caller)});
  }
  bool is_here() const noexcept override {
    for (auto& part : parts_) {
      if (part.valid() && part.state()->is_here()) return true;
    }
    return false;
  }
  void end_if_lost() override {
    const auto alive = this->shared_from_this();  // the first part to end may resume its waiter here
    if (this->ready()) return;
    for (auto& part : parts_) {
      if (!part.ready()) part.state()->end_if_lost();
      if (this->ready()) return;
    }
  }

 private:
  void dispatch(Executor::Task continuation) override {
    if (const auto* found = found_part()) return found->state()->dispatch(std::move(continuation));
    this->call(std::move(continuation));
  }
  bool dispatches_here() const noexcept override {
    const auto* const found = found_part();
    return found == nullptr || found->state()->dispatches_here();
  }
  /// The part that was found; nullptr if there is none, or its result was taken.
  const Pending<T>* found_part() const noexcept {
    const auto& found = this->result();
    return found && parts_[*found].valid() ? &parts_[*found] : nullptr;
  }
  Executor::Task arrived(std::size_t place) override {
    if (!first_.arrived()) return {};
    return this->finish(place);
  }
  /// There is one less that may tell it of a result.
  void lose() {
    if (lost_.arrived() && first_.arrived()) this->complete_with(nothing_to_wait_for());
  }

  std::vector<Pending<T>>& parts_;
  Countdown first_{1};
  Countdown lost_;  ///< the parts, and their list
};

}  // namespace detail

/// Waits for all calls: gives the results in the order of `pending`, once the last of them is there.
/// Destroying it cancels the calls that are still in progress; after `then` they continue as long as there is
/// a client. Its continuations run where those of the last call to finish do.
///
///     std::vector<Pending<chat::Response>> calls;
///     for (const auto& request : requests) calls.push_back(client.chat.start(request));
///     auto replies = co_await when_all(std::move(calls));
///     for (auto& reply : *replies) use(reply);
template <class T>
Pending<std::vector<typename Pending<T>::value_type>> when_all(std::vector<Pending<T>> pending) {
  auto all = std::make_shared<detail::AllOf<T>>(std::move(pending));
  all->begin();
  return detail::HandleAccess::make<Pending<std::vector<typename Pending<T>::value_type>>>(std::move(all));
}

/// Takes the calls as separate arguments: `when_all(client.chat.start(one), client.chat.start(other))`.
template <class T, std::same_as<Pending<T>>... Others>
Pending<std::vector<typename Pending<T>::value_type>> when_all(Pending<T> first, Others... others) {
  std::vector<Pending<T>> all;
  all.reserve(1 + sizeof...(others));
  all.push_back(std::move(first));
  (all.push_back(std::move(others)), ...);
  return when_all(std::move(all));
}

/// Waits for any of the calls: gives the index of the first of `pending` that is ready. The others continue
/// and may be awaited afterwards; `pending` has to outlive the result of this function. Calls whose results
/// were taken before are ignored, and so are those that another `when_any`, a `then` or a `co_await` has
/// begun to wait for since, and those destroyed since; if none is left, Error{config}. Continuations run
/// where those of the call that was found do. Cancelling it does not cancel the calls; it resumes the waiter
/// at once, on the thread that calls `cancel`, and exceptions from it are dropped. Losing the last call to
/// another waiter, or destroying it, does the same, on the thread that does so.
template <class T>
Pending<std::size_t> when_any(std::vector<Pending<T>>& pending) {
  auto any = std::make_shared<detail::AnyOf<T>>(pending);
  any->begin();
  return detail::HandleAccess::make<Pending<std::size_t>>(std::move(any));
}

}  // namespace inferwire::inline v0_1
