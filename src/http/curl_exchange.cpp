#include "http/curl_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::http {

CurlExchange::CurlExchange(std::shared_ptr<CurlPool> pool, std::string_view url, Sink& sink)
    : TransferExchange(sink),
      pool_(std::move(pool)),
      reactor_(pool_->borrow(url)),
      seen_wakes_(pool_->wakes()) {}

Result<std::unique_ptr<Exchange>> CurlExchange::start(std::shared_ptr<CurlPool> pool, HttpRequest&& request,
                                                      Sink& sink, const ExchangeOptions& options) {
  if (const auto& problem = pool->network().problem()) return *problem;
  auto exchange = std::make_unique<CurlExchange>(std::move(pool), request.url, sink);
  auto& self = *exchange;
  // The rest of an earlier stream may be waiting to be read, which frees its connection for this exchange.
  if (auto moved = self.reactor_->settle(); !moved) return std::move(moved).error();
  self.transfer_ = self.reactor_->take_transfer(*self.pool_);
  if (auto begun = self.transfer_->begin(std::move(request), sink, options); !begun) {
    return std::move(begun).error();
  }
  if (auto started = self.start_moving(); !started) return std::move(started).error();
  return std::unique_ptr<Exchange>(std::move(exchange));
}

CurlExchange::~CurlExchange() {
  if (reactor_->is_ours()) {
    leave();
  } else {
    [[maybe_unused]] const auto* const left = transfer_.release();
  }
  pool_->give_back(std::move(reactor_));
}

void CurlExchange::leave() {
  if (moving_ && released_ && transfer_->has_head()) {
    // Data that has already arrived is read here; the rest is left to the next driver of this reactor.
    transfer_->resume();
    transfer_->before_round();
    const bool alive = reactor_->move().has_value();
    if (alive && !transfer_->has_result()) {
      moving_ = false;
      reactor_->linger(std::move(transfer_));
    }
  }
  stop_moving();
  if (transfer_) reactor_->give_back(std::move(transfer_));
}

Progress CurlExchange::drive(TimePoint deadline) {
  if (!moving_ || released_) return Progress::ended;
  for (;;) {
    if (take_wake()) return Progress::woken;  // a wake is handled before received data
    if (waiting_ && !transfer_->wants_round()) {
      wait(deadline);
    } else if (const auto progress = move()) {
      return *progress;
    }
    if (waiting_ && std::chrono::steady_clock::now() >= deadline) return Progress::deadline;
  }
}

void CurlExchange::wait(TimePoint deadline) {
  const bool sleeps = !transfer_->connected() && Transfer::libcurl_sleeps_over_addresses();
  const bool can_move = reactor_->wait(
      sleeps ? std::min(deadline, std::chrono::steady_clock::now() + Transfer::address_sleep) : deadline);
  // Newer libcurls (8.14, for example) send in every round, and the socket may take a little before it counts
  // as writable: a round without cause would look as if the server were reading.
  waiting_ = !can_move && transfer_->sending() && !is_woken();
}

/// Does all that needs no waiting. Nothing: the exchange goes on, and the sink has heard nothing.
std::optional<Progress> CurlExchange::move() {
  transfer_->before_round();
  const auto moved = reactor_->move();
  waiting_ = true;
  if (!moved) {
    stop_moving();
    tell_end(&moved.error());
    return Progress::ended;
  }
  transfer_->after_round();
  if (!transfer_->has_result()) {
    return transfer_->take_heard() ? std::optional(Progress::delivered) : std::nullopt;
  }
  waiting_ = false;
  return conclude() ? std::nullopt : std::optional(Progress::ended);
}

bool CurlExchange::wake() noexcept {
  // A drive that is about to wait has either seen the flag or is woken by its reactor: libcurl keeps a
  // wake-up until the next wait.
  woken_.store(true, std::memory_order_release);
  reactor_->wake();
  return true;
}

bool CurlExchange::is_woken() const noexcept {
  return woken_.load(std::memory_order_acquire) || pool_->wakes() != seen_wakes_;
}

bool CurlExchange::take_wake() noexcept {
  const bool one = woken_.exchange(false, std::memory_order_acq_rel);
  const auto wakes = pool_->wakes();
  return wakes != std::exchange(seen_wakes_, wakes) || one;
}

}  // namespace inferwire::inline v0_1::http
