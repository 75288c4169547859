/// \file
/// Limits how many calls run at a time.
#pragma once

#include "inferwire/event_loop.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace inferwire::inline v0_1::client {

/// Calls that may not begin yet wait for their turn: first come, first served, but no call waits for one
/// whose host is at its limit. The cost of a call hardly depends on how many wait: each host has a separate
/// queue. `Call` has a `host()`.
template <class Call>
class Admission {
 public:
  /// The options must outlive it.
  explicit Admission(const EventLoopOptions& options) : options_(options) {}

  /// Whether the call may begin; if not, it waits until `next` returns it.
  bool enter(Call& call) {
    if (!is_limited()) return true;
    if (const auto place = places_.find(&call); place != places_.end()) return place->second.ticket == called;
    const auto host = hosts_.try_emplace(call.host()).first;
    const bool enters = has_room(host->second) && first() == hosts_.end();
    const auto ticket = enters ? called : ++last_ticket_;
    places_.emplace(&call, Place{ticket, host});
    if (enters) {
      take_room(host->second);
    } else {
      try {
        host->second.queue.emplace(ticket, &call);
      } catch (...) {  // no memory
        leave(call);
        throw;
      }
    }
    return enters;
  }
  /// The call is over, or no longer waits.
  void leave(const Call& call) noexcept {
    const auto place = places_.find(&call);
    if (place == places_.end()) return;
    const auto [ticket, host] = place->second;
    places_.erase(place);
    if (ticket != called) {
      host->second.queue.erase(ticket);
    } else {
      --calls_;
      --host->second.calls;
    }
    if (host->second.calls == 0 && host->second.queue.empty()) hosts_.erase(host);
  }
  /// The first waiting call that may begin, which counts as running from then on; nullptr: there is none.
  Call* next() noexcept {
    const auto host = first();
    if (host == hosts_.end()) return nullptr;
    auto* const call = host->second.queue.begin()->second;
    host->second.queue.erase(host->second.queue.begin());
    places_.find(call)->second.ticket = called;
    take_room(host->second);
    return call;
  }

 private:
  struct Host {
    std::size_t calls{};                   ///< running, or called
    std::map<std::uint64_t, Call*> queue;  ///< the waiting calls by ticket
  };
  using Hosts = std::map<std::string, Host>;
  struct Place {
    std::uint64_t ticket{};  ///< `called`: it does not wait
    typename Hosts::iterator host;
  };
  static constexpr std::uint64_t called = 0;

  bool is_limited() const noexcept { return options_.max_calls || options_.max_calls_per_host; }
  bool has_room(const Host& host) const noexcept {
    return (!options_.max_calls || calls_ < *options_.max_calls) &&
           (!options_.max_calls_per_host || host.calls < *options_.max_calls_per_host);
  }
  void take_room(Host& host) noexcept {
    ++calls_;
    ++host.calls;
  }
  /// The host of the first waiting call that may begin.
  typename Hosts::iterator first() noexcept {
    auto first = hosts_.end();
    for (auto host = hosts_.begin(); host != hosts_.end(); ++host) {
      const auto& queue = host->second.queue;
      if (queue.empty() || !has_room(host->second)) continue;
      if (first == hosts_.end() || queue.begin()->first < first->second.queue.begin()->first) first = host;
    }
    return first;
  }

  const EventLoopOptions& options_;
  Hosts hosts_;
  std::unordered_map<const Call*, Place> places_;
  std::size_t calls_{};
  std::uint64_t last_ticket_{};
};

}  // namespace inferwire::inline v0_1::client
