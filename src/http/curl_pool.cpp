#include "http/curl_pool.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {
// Reactors that wait, each with its connections. More than these are closed after a burst of calls.
constexpr std::size_t max_idle = 64;

/// Whether it was one of the process that forked; then it is left as it is, without its sockets.
bool let_go_of_parents(std::unique_ptr<Reactor>& reactor) noexcept {
  if (reactor->is_ours()) return false;
  reactor->sockets().drop();
  [[maybe_unused]] const auto* const left = reactor.release();
  return true;
}

}  // namespace

CurlPool::~CurlPool() {
  for (auto& reactor : idle_) let_go_of_parents(reactor);
}

std::unique_ptr<Reactor> CurlPool::borrow() {
  std::unique_ptr<Reactor> reactor;
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      reactor = std::move(idle_.back());
      idle_.pop_back();
      if (!let_go_of_parents(reactor)) {
        borrowed_.push_back(reactor.get());
        return reactor;
      }
    }
  }
  reactor = std::make_unique<Reactor>();
  const std::lock_guard lock(mutex_);
  idle_.reserve(std::min(borrowed_.size() + 1, max_idle));  // so that giving back cannot fail
  borrowed_.push_back(reactor.get());
  return reactor;
}

void CurlPool::give_back(std::unique_ptr<Reactor> reactor) noexcept {
  // A reactor too many is destroyed on return, after the lock is gone.
  const std::lock_guard lock(mutex_);
  const auto found = std::find(borrowed_.rbegin(), borrowed_.rend(), reactor.get());
  *found = borrowed_.back();
  borrowed_.pop_back();
  if (let_go_of_parents(reactor)) return;
  if (reactor->usable() && idle_.size() < idle_.capacity()) idle_.push_back(std::move(reactor));
}

void CurlPool::wake() noexcept {
  const std::lock_guard lock(mutex_);
  wakes_.fetch_add(1, std::memory_order_release);
  // A drive that is about to wait has either seen the count, or finds its reactor woken: libcurl keeps a
  // wake-up until the next wait.
  for (Reactor* reactor : borrowed_) reactor->wake();
}

}  // namespace inferwire::inline v0_1::http
