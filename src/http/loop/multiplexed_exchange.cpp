#include "http/loop/multiplexed_exchange.hpp"

#include "base/thrown.hpp"

#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::http {

Result<std::unique_ptr<Exchange>> MultiplexedExchange::start(std::shared_ptr<CurlHub> hub, CurlShard& shard,
                                                             HttpRequest&& request, Sink& sink,
                                                             const ExchangeOptions& options) {
  if (const auto& problem = shard.pool().network().problem()) return *problem;
  auto exchange = std::make_unique<MultiplexedExchange>(std::move(hub), shard, sink);
  if (auto begun = exchange->begin(std::move(request), options); !begun) return std::move(begun).error();
  return std::unique_ptr<Exchange>(std::move(exchange));
}

MultiplexedExchange::MultiplexedExchange(std::shared_ptr<CurlHub> hub, CurlShard& shard, Sink& sink)
    : TransferExchange(sink), hub_(std::move(hub)), shard_(shard), seen_wakes_(hub_->wakes()) {
  hub_->enter();
  shard_.enter();
}

Result<void> MultiplexedExchange::begin(HttpRequest&& request, const ExchangeOptions& options) {
  transfer_ = shard_.reactor().take_transfer(shard_.pool());
  if (auto begun = transfer_->begin(std::move(request), sink_, options, this, shard_.crowded()); !begun)
    return begun;
  return start_moving();
}

MultiplexedExchange::~MultiplexedExchange() {
  if (transfer_) leave();
  hub_->leave(*this);
  shard_.leave();
}

void MultiplexedExchange::leave() {
  if (moving_ && released_ && transfer_->has_head()) {
    transfer_->resume();
    transfer_->before_round();
    if (!transfer_->has_result()) {
      moving_ = false;
      shard_.linger(std::move(transfer_));
    }
  }
  stop_moving();
  if (transfer_) shard_.reactor().give_back(std::move(transfer_));
}

Progress MultiplexedExchange::drive(TimePoint deadline) {
  for (bool looked = false;; looked = !hub_->run(deadline)) {
    driven_ = false;
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
    if (!moving_ || released_) return Progress::ended;
    if (const auto wakes = hub_->wakes(); wakes != std::exchange(seen_wakes_, wakes)) return Progress::woken;
    if (transfer_->take_heard()) return Progress::delivered;
    if (looked && std::chrono::steady_clock::now() >= deadline) return Progress::deadline;
    driven_ = true;
  }
}

bool MultiplexedExchange::prepare() noexcept {
  if (!moving_ || !transfer_->wants_round()) return false;
  transfer_->before_round();
  return true;
}

bool MultiplexedExchange::look() {
  if (!moving_) return false;
  if (transfer_->connected()) shard_.note_connected(*transfer_);
  transfer_->after_round();
  if (transfer_->has_result()) conclude_guarded();
  return moving_ && (transfer_->wants_round() || transfer_->sending());
}

/// Keeps an exception from the sink for its own `drive`; a sink of others that drive is told.
void MultiplexedExchange::conclude_guarded() {
  try {
    conclude();
  } catch (...) {
    if (driven_) {
      exception_ = std::current_exception();
      return;
    }
    const Error thrown{.kind = ErrorKind::connection, .detail = thrown_by("whoever listened")};
    tell_end(&thrown);
  }
}

}  // namespace inferwire::inline v0_1::http
