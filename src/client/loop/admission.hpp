/// \file
/// How many calls are under way at a time, where that is limited.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "inferwire/event_loop.hpp"

namespace inferwire::inline v0_1::client {

/// Those that may not begin yet wait for their turn: first come, first served, but none waits behind one
/// whose host has no room. `Call` has a `host()`.
template <class Call>
class Admission {
 public:
  /// Borrows the options for its life.
  explicit Admission(const EventLoopOptions& options) : options_(options) {}

  /// Whether it may begin; if not, it waits.
  bool enter(Call& call) {
    if (!is_limited()) return true;
    const auto place = std::ranges::find(queue_, &call);
    const bool room = has_room(call);
    const bool gives_way =
        room && std::any_of(queue_.begin(), place, [this](const Call* before) { return has_room(*before); });
    gave_way_ |= gives_way;
    if (!room || gives_way) {
      if (place == queue_.end()) queue_.push_back(&call);
      return false;
    }
    if (place != queue_.end()) queue_.erase(place);
    ++calls_;
    ++calls_of_host_[call.host()];
    return true;
  }
  /// Whether one may wait that found room, and let one that had come before go first.
  bool gave_way() const noexcept { return gave_way_; }
  /// One that had begun has ended.
  void exit(const Call& call) noexcept {
    if (!is_limited()) return;
    --calls_;
    const auto found = calls_of_host_.find(call.host());
    if (--found->second == 0) calls_of_host_.erase(found);
  }
  /// It does not wait any more. Whether it did.
  bool forget(const Call& call) noexcept { return std::erase(queue_, &call) != 0; }
  /// The first of those that wait that may begin and is `wanted`; nullptr: there is none.
  template <class Wanted>
  Call* next(Wanted wanted) noexcept {
    const auto found = std::ranges::find_if(
        queue_, [&](const Call* waiting) { return wanted(*waiting) && has_room(*waiting); });
    if (found != queue_.end()) return *found;
    gave_way_ = false;
    return nullptr;
  }

 private:
  bool is_limited() const noexcept { return options_.max_calls || options_.max_calls_per_host; }
  bool has_room(const Call& call) const {
    if (options_.max_calls && calls_ >= *options_.max_calls) return false;
    if (!options_.max_calls_per_host) return true;
    const auto found = calls_of_host_.find(call.host());
    return found == calls_of_host_.end() || found->second < *options_.max_calls_per_host;
  }

  const EventLoopOptions& options_;
  std::vector<Call*> queue_;
  std::map<std::string, std::size_t> calls_of_host_;
  std::size_t calls_{};
  bool gave_way_{};
};

}  // namespace inferwire::inline v0_1::client
