/// \file
/// Several answers that are on their way, awaited together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "inferwire/pending.hpp"

namespace inferwire::inline v0_1 {

namespace detail {

/// A result that is made of other results, on the thread that brings the one that was missing.
template <class T>
class Derived : public PendingState<T> {
 public:
  void cancel() noexcept override {}

 protected:
  void dispatch(Task continuation) override { continuation(); }
};

template <class T>
class AllOf final : public Derived<std::vector<Result<T>>>, public std::enable_shared_from_this<AllOf<T>> {
 public:
  explicit AllOf(std::vector<Pending<T>> parts) : parts_(std::move(parts)), missing_(parts_.size() + 1) {}

  void begin() {
    for (auto& part : parts_) {
      const auto arrived = [self = this->shared_from_this()] { self->arrive(); };
      if (!part.valid() || !part.state()->when_ready(arrived)) arrive();
    }
    arrive();
  }
  void cancel() noexcept override {
    for (auto& part : parts_) part.cancel();
  }
  bool is_here() const noexcept override {
    for (auto& part : parts_) {
      if (part.valid() && !part.ready() && part.state()->is_here()) return true;
    }
    return false;
  }

 private:
  void arrive() {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::vector<Result<T>> results;
    results.reserve(parts_.size());
    for (auto& part : parts_) {
      // Taken from behind the handles: whoever waits may be looking at those.
      results.push_back(part.valid() ? std::move(part.state()->result()) : part.get());
    }
    this->complete_with(std::move(results));
  }

  std::vector<Pending<T>> parts_;
  std::atomic<std::size_t> missing_;
};

template <class T>
class AnyOf final : public Derived<std::size_t>, public std::enable_shared_from_this<AnyOf<T>> {
 public:
  explicit AnyOf(std::vector<Pending<T>>& parts) : parts_(parts) {}

  void begin() {
    bool waits = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].valid()) continue;
      waits = true;
      if (!parts_[i].state()->when_ready([self = this->shared_from_this(), i] { self->arrive(i); })) {
        return arrive(i);
      }
    }
    if (!waits) this->complete_with(nothing_to_wait_for());
  }
  bool is_here() const noexcept override {
    for (auto& part : parts_) {
      if (part.valid() && part.state()->is_here()) return true;
    }
    return false;
  }

 private:
  void arrive(std::size_t index) {
    if (!found_.exchange(true, std::memory_order_acq_rel)) this->complete_with(index);
  }

  std::vector<Pending<T>>& parts_;
  std::atomic<bool> found_{false};
};

}  // namespace detail

/// All the results, in the order of `pending`, once the last of them is there. Destroying it cancels the
/// calls that are still under way.
///
///     std::vector<Pending<chat::Response>> calls;
///     for (const auto& request : requests) calls.push_back(client.chat.start(request));
///     for (auto& reply : co_await when_all(std::move(calls))) use(reply);
template <class T>
Pending<std::vector<Result<T>>> when_all(std::vector<Pending<T>> pending) {
  auto all = std::make_shared<detail::AllOf<T>>(std::move(pending));
  all->begin();
  return Pending<std::vector<Result<T>>>(std::move(all));
}

/// The index of the first of `pending` that is ready. The others stay as they are and may be awaited
/// afterwards; `pending` has to live until then. Those that were taken before do not count; where none is
/// left, Error{config}.
template <class T>
Pending<std::size_t> when_any(std::vector<Pending<T>>& pending) {
  auto any = std::make_shared<detail::AnyOf<T>>(pending);
  any->begin();
  return Pending<std::size_t>(std::move(any));
}

}  // namespace inferwire::inline v0_1
