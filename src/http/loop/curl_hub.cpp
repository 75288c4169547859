#include "http/loop/curl_hub.hpp"

#include "base/make_room.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace inferwire::inline v0_1::http {

CurlShard& CurlHub::shard(const std::shared_ptr<CurlPool>& pool) {
  for (const auto& shard : shards_) {
    if (shard && &shard->pool() == pool.get() && !shard->full()) return *shard;
  }
  // Shards keep their numbers, which identify their sockets.
  auto place = std::find(shards_.begin(), shards_.end(), nullptr);
  if (place == shards_.end()) place = shards_.emplace(place);
  const auto number = static_cast<std::size_t>(place - shards_.begin());
  *place = std::make_unique<CurlShard>(*poller_, number, pool);
  return **place;
}

void CurlHub::join(const CurlPool& pool) { guests_.push_back(&pool); }

void CurlHub::leave(const CurlPool& pool) noexcept {
  const auto guest = std::ranges::find(guests_, &pool);
  if (guest != guests_.end()) guests_.erase(guest);
  if (std::ranges::find(guests_, &pool) != guests_.end()) return;
  for (auto& shard : shards_) {
    if (shard && &shard->pool() == &pool && shard->empty()) shard.reset();
  }
}

/// A member is attended once in a round, also one that leaves in it, which leaves its place empty.
void CurlHub::enter() {
  const auto members = members_ + 1;
  make_room(attended_, attended_.size() + members);
  make_room(looking_, looking_.size() + members);
  members_ = members;
}

void CurlHub::attend(Member& member) noexcept {
  if (!std::exchange(member.attended_, true)) attended_.push_back(&member);
}

void CurlHub::leave(Member& member) noexcept {
  --members_;
  if (!member.attended_) return;
  std::ranges::replace(attended_, &member, static_cast<Member*>(nullptr));
  std::ranges::replace(looking_, &member, static_cast<Member*>(nullptr));
}

bool CurlHub::run(TimePoint deadline) {
  if (const auto count = wakes(); count != std::exchange(seen_wakes_, count)) return true;
  const bool urgent = prepare_members();
  // New transfers are due at once and need not wait for sockets; but not twice in a row, nor if the deadline
  // has passed, since the caller then judges by what has arrived.
  const bool acted = act_due();
  sockets_wait_ = acted && !sockets_wait_ && std::chrono::steady_clock::now() < deadline;
  if (!sockets_wait_) {
    act_on_sockets(urgent || acted ? TimePoint::min() : std::min(deadline, next_due()));
    act_due();
  }
  look_after_members();
  return false;
}

void CurlHub::act_on_sockets(TimePoint deadline) {
  // Act on all that is ready, in as many waits as that takes: timeouts are judged by it.
  constexpr int most_looks = 64;
  for (int looks = 0; looks < most_looks; ++looks) {
    for (const auto& ready : poller_->wait(looks == 0 ? deadline : TimePoint::min())) act_on(ready);
    if (!poller_->has_more()) break;
  }
}

void CurlHub::act_on(const Poller::Ready& ready) noexcept {
  const int events = (ready.read ? CURL_CSELECT_IN : 0) | (ready.write ? CURL_CSELECT_OUT : 0) |
                     (ready.failed ? CURL_CSELECT_ERR : 0);
  const auto& shard = shards_[ready.owner];
  if (shard) shard->act(ready.socket, events);
}

/// Returns whether any shard was due.
bool CurlHub::act_due() {
  bool acted = false;
  if (next_due() == TimePoint::max()) return acted;
  const auto now = std::chrono::steady_clock::now();
  for (auto& shard : shards_) {
    if (!shard || shard->due() > now) continue;
    if (shard->outdated() <= now) {
      shard.reset();
      continue;
    }
    shard->act_when_due(now);
    acted = true;
  }
  return acted;
}

void CurlHub::wake() noexcept {
  wakes_.fetch_add(1, std::memory_order_release);
  poller_->wake();
}

TimePoint CurlHub::next_due() const noexcept {
  auto next = TimePoint::max();
  for (const auto& shard : shards_) {
    if (shard) next = std::min(next, shard->due());
  }
  return next;
}

bool CurlHub::prepare_members() noexcept {
  bool urgent = false;
  // By index: libcurl delivers data in here, and sinks may request attention.
  for (std::size_t i = 0; i < attended_.size(); ++i) {
    if (attended_[i] != nullptr && attended_[i]->prepare()) urgent = true;
  }
  return urgent;
}

void CurlHub::look_after_members() {
  looking_.swap(attended_);
  for (std::size_t i = 0; i < looking_.size(); ++i) {
    if (looking_[i] == nullptr) continue;
    auto& member = *looking_[i];
    member.attended_ = member.look();
    if (member.attended_) attended_.push_back(&member);
  }
  looking_.clear();
}

}  // namespace inferwire::inline v0_1::http
