/// \file
/// The timers of a loop.
#pragma once

#include "inferwire/clock.hpp"

#include <map>
#include <utility>

namespace inferwire::inline v0_1::client {

/// One timer per owner. Most timers are only postponed, for each event that arrives, which costs no more than
/// to note the new time: a timer that fires too early is set again then. To set one needs no memory, of which
/// the loop's thread could not report the lack. `Owner` has a `Timer& timer()`.
template <class Owner>
class Timers {
  using Entries = std::multimap<TimePoint, Owner*>;

 public:
  /// The timer of an owner, which keeps it.
  class Timer {
    friend class Timers;

    static typename Entries::node_type new_entry() {
      Entries one;
      return one.extract(one.emplace(TimePoint::max(), nullptr));
    }
    bool is_set() const noexcept { return fires_ != TimePoint::max(); }

    typename Entries::node_type spare_{new_entry()};  ///< its entry while it is not set
    typename Entries::iterator entry_{};              ///< its entry while it is set
    TimePoint fires_{TimePoint::max()};               ///< when `entry_` does: at `due_` or earlier
    TimePoint due_{TimePoint::max()};
  };

  /// Lets the owner's timer fire at `at`, and no longer at another time; TimePoint::max(): never. The owner
  /// must exist until its timer has fired or is cancelled.
  void set(Owner& owner, TimePoint at) noexcept {
    auto& timer = owner.timer();
    timer.due_ = at;
    if (timer.fires_ <= at) return;
    take_out(timer);
    timer.spare_.key() = at;
    timer.spare_.mapped() = &owner;
    timer.entry_ = entries_.insert(std::move(timer.spare_));
    timer.fires_ = at;
  }
  void cancel(Owner& owner) noexcept {
    auto& timer = owner.timer();
    take_out(timer);
    timer.fires_ = timer.due_ = TimePoint::max();
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
  void take_out(Timer& timer) noexcept {
    if (timer.is_set()) timer.spare_ = entries_.extract(timer.entry_);
  }

  Entries entries_;
};

}  // namespace inferwire::inline v0_1::client
