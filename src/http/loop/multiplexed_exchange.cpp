#include "http/loop/multiplexed_exchange.hpp"

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
    : hub_(std::move(hub)), shard_(shard), sink_(sink), seen_wakes_(hub_->wakes()) {
  shard_.enter();
}

Result<void> MultiplexedExchange::begin(HttpRequest&& request, const ExchangeOptions& options) {
  transfer_ = shard_.reactor().take_transfer(shard_.pool());
  if (auto begun = transfer_->begin(std::move(request), sink_, options, this, shard_.crowded()); !begun)
    return begun;
  return start_moving();
}

Result<void> MultiplexedExchange::start_moving() {
  auto added = shard_.add(*transfer_);
  moving_ = added.has_value();
  return added;
}

MultiplexedExchange::~MultiplexedExchange() {
  if (transfer_) leave();
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
  stop();
  if (transfer_) shard_.reactor().give_back(std::move(transfer_));
  hub_->forget(*this);
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

void MultiplexedExchange::pause() {
  if (moving_) transfer_->pause();
}

void MultiplexedExchange::resume() {
  if (moving_) transfer_->resume();
}

void MultiplexedExchange::release() {
  released_ = true;
  if (moving_) transfer_->detach();
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
  if (transfer_->has_result()) conclude();
  return moving_ && (transfer_->wants_round() || transfer_->sending());
}

/// Called after libcurl has ended the exchange.
void MultiplexedExchange::conclude() {
  stop();
  if (released_) return;
  if (transfer_->starts_over()) {
    auto begun = transfer_->begin_again();
    if (begun) begun = start_moving();
    if (!begun) end(&begun.error());
    return;
  }
  try {
    const auto failure = transfer_->outcome();
    end(failure ? &*failure : nullptr);
  } catch (...) {
    if (driven_) {
      exception_ = std::current_exception();
      return;
    }
    const Error thrown{.kind = ErrorKind::connection, .detail = "whoever listened threw an exception"};
    end(&thrown);
  }
}

void MultiplexedExchange::end(const Error* failure) {
  if (!released_) sink_.on_end(failure);
}

void MultiplexedExchange::stop() noexcept {
  if (std::exchange(moving_, false)) shard_.remove(*transfer_);
}

}  // namespace inferwire::inline v0_1::http
