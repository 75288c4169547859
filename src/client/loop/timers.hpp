/// \file
/// The timers of a loop.
#pragma once

#include "inferwire/clock.hpp"

#include <map>

namespace inferwire::inline v0_1::client {

/// One timer per owner. Most timers are only postponed, for each event that arrives, which costs no more than
/// to note the new time: a timer that fires too early is set again then. `Owner` has a `Timer& timer()`.
template <class Owner>
class Timers {
  using Entries = std::multimap<TimePoint, Owner*>;

 public:
  /// The timer of an owner, which keeps it.
  class Timer {
    friend class Timers;

    bool is_set() const noexcept { return fires_ != TimePoint::max(); }

    typename Entries::iterator entry_{};  ///< valid if it is set
    TimePoint fires_{TimePoint::max()};   ///< when `entry_` does: at `due_` or earlier
    TimePoint due_{TimePoint::max()};
  };

  /// Lets the owner's timer fire at `at`, and no longer at another time; TimePoint::max(): never. The owner
  /// must exist until its timer has fired or is cancelled.
  void set(Owner& owner, TimePoint at) {
    auto& timer = owner.timer();
    timer.due_ = at;
    if (timer.fires_ <= at) return;
    const auto entry = entries_.emplace(at, &owner);
    if (timer.is_set()) entries_.erase(timer.entry_);
    timer.entry_ = entry;
    timer.fires_ = at;
  }
  void cancel(Owner& owner) noexcept {
    auto& timer = owner.timer();
    if (timer.is_set()) entries_.erase(timer.entry_);
    timer = {};
  }

  /// No timer fires before this time; TimePoint::max(): none is set.
  TimePoint earliest() const noexcept {
    return entries_.empty() ? TimePoint::max() : entries_.begin()->first;
  }
  /// Calls `on_fire(owner)` for each timer whose time has come by `now`, and which is no longer set then.
  template <class OnFire>
  void fire(TimePoint now, OnFire on_fire) {
    while (!entries_.empty() && entries_.begin()->first <= now) {
      auto& owner = *entries_.begin()->second;
      const auto due = owner.timer().due_;
      cancel(owner);
      if (due <= now) {
        on_fire(owner);
      } else {
        set(owner, due);
      }
    }
  }

 private:
  Entries entries_;
};

}  // namespace inferwire::inline v0_1::client
