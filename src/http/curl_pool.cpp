#include "http/curl_pool.hpp"

#include "protocol/url.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {
// The maximum number of idle reactors, each with its connections. Others are closed after a burst of calls.
constexpr std::size_t max_idle = 64;
// If this many are full of connections to other hosts, one reactor gives up its oldest connection: otherwise
// a program that talks to one host after another would keep every connection that it ever made.
constexpr std::size_t max_full = 8;

/// Whether the reactor belongs to the process that forked; then it is leaked on purpose, without its sockets.
bool let_go_of_parents(std::unique_ptr<Reactor>& reactor) noexcept {
  if (reactor->is_ours()) return false;
  reactor->sockets().drop();
  [[maybe_unused]] const auto* const left = reactor.release();
  return true;
}

}  // namespace

std::unique_ptr<Reactor> CurlPool::borrow(std::string_view url) {
  const auto origin = protocol::split_url(url).origin;
  std::unique_ptr<Reactor> reactor;
  {
    Outdated outdated;  // closed after the lock is released
    const std::lock_guard lock(mutex_);
    reactor = take_idle(origin);
    if (!idle_.empty()) outdated = take_outdated(std::chrono::steady_clock::now());
  }
  if (!reactor) reactor = std::make_unique<Reactor>();
  reactor->note_origin(origin);
  const std::lock_guard lock(mutex_);
  idle_.reserve(std::min(idle_.size() + borrowed_.size() + 1, max_idle));  // so that giving back cannot fail
  borrowed_.push_back(reactor.get());
  return reactor;
}

/// Called under the lock.
std::unique_ptr<Reactor> CurlPool::take_idle(std::string_view origin) noexcept {
  std::erase_if(idle_, [](Idle& idle) { return let_go_of_parents(idle.reactor); });
  const auto last = [this](auto fits) {
    return std::find_if(idle_.rbegin(), idle_.rend(), [&](const Idle& idle) { return fits(*idle.reactor); });
  };
  auto found = last([origin](const Reactor& reactor) { return reactor.has_served(origin); });
  if (found == idle_.rend()) found = last([](const Reactor& reactor) { return reactor.has_room(); });
  if (found == idle_.rend() && idle_.size() >= max_full) found = std::prev(idle_.rend());  // the coldest
  if (found == idle_.rend()) return nullptr;
  auto reactor = std::move(found->reactor);
  idle_.erase(std::next(found).base());
  return reactor;
}

/// Called under the lock. Takes some of the reactors whose connections are too old to be reused.
CurlPool::Outdated CurlPool::take_outdated(TimePoint now) noexcept {
  Outdated outdated;
  const auto limit = now - network_.max_idle();
  auto end = idle_.begin();
  for (auto& place : outdated) {
    if (end == idle_.end() || end->since > limit) break;
    place = std::move(end++->reactor);
  }
  idle_.erase(idle_.begin(), end);
  return outdated;
}

void CurlPool::give_back(std::unique_ptr<Reactor> reactor) noexcept {
  // A surplus reactor is destroyed on return, after the lock is released.
  const std::lock_guard lock(mutex_);
  const auto found = std::find(borrowed_.rbegin(), borrowed_.rend(), reactor.get());
  *found = borrowed_.back();
  borrowed_.pop_back();
  if (let_go_of_parents(reactor)) return;
  if (!reactor->usable() || idle_.size() == idle_.capacity()) return;
  idle_.push_back({std::move(reactor), std::chrono::steady_clock::now()});
}

void CurlPool::retire() noexcept {
  std::vector<Idle> idle;  // closed after the lock is released
  const std::lock_guard lock(mutex_);
  idle.swap(idle_);  // leaves no capacity, so that `give_back` keeps nothing
  for (auto& one : idle) let_go_of_parents(one.reactor);
}

void CurlPool::wake() noexcept {
  const std::lock_guard lock(mutex_);
  wakes_.fetch_add(1, std::memory_order_release);
  // A drive that is about to wait has either seen the count or is woken by its reactor: libcurl keeps a
  // wake-up until the next wait.
  for (Reactor* reactor : borrowed_) reactor->wake();
}

}  // namespace inferwire::inline v0_1::http
