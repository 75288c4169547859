#include "client/loop/polling_multiplexer.hpp"

#include "client/drive_guarded.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

/// An exchange that is polled while it lives. It has no wake function of its own: the multiplexer does the
/// waiting.
class PolledExchange final : public Exchange {
 public:
  PolledExchange(PollingMultiplexer& polling, Transport& transport, Sink& sink,
                 std::unique_ptr<Exchange> exchange)
      : polling_(polling), exchange_(std::move(exchange)) {
    polling_.enter(*exchange_, transport, sink);
  }
  ~PolledExchange() override { polling_.leave(*exchange_); }

  Progress drive(TimePoint deadline) override { return exchange_->drive(deadline); }
  void pause() override { exchange_->pause(); }
  void resume() override { exchange_->resume(); }
  Optional<TimePoint> due() const override { return exchange_->due(); }
  std::string_view obstacle() const noexcept override { return exchange_->obstacle(); }
  void release() override { exchange_->release(); }
  void reject() override { exchange_->reject(); }

 private:
  PollingMultiplexer& polling_;
  std::unique_ptr<Exchange> exchange_;
};

/// Starts exchanges of a transport and registers them for polling.
class PollingTransport final : public Transport {
 public:
  PollingTransport(PollingMultiplexer& polling, Transport& transport)
      : polling_(polling), transport_(transport) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    auto exchange = transport_.start(std::move(request), sink, options);
    if (!exchange) return exchange;
    return std::unique_ptr<Exchange>(
        std::make_unique<PolledExchange>(polling_, transport_, sink, *std::move(exchange)));
  }
  void wake() noexcept override { polling_.wake(); }

 private:
  PollingMultiplexer& polling_;
  Transport& transport_;
};

}  // namespace

Result<std::unique_ptr<Exchange>> PollingMultiplexer::start(HttpRequest, Sink&, const ExchangeOptions&) {
  return Error{.kind = ErrorKind::config,
               .detail = "exchanges are started where their transport was adopted"};
}

void PollingMultiplexer::wake() noexcept {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
  if (driven_ != nullptr) driven_->wake();
}

void PollingMultiplexer::run(TimePoint deadline) {
  if (look_at_all()) return;
  const auto waiting = std::ranges::count_if(entries_, [](const Entry& entry) { return !entry.ended; });
  if (waiting == 1) {
    const auto only = std::ranges::find(entries_, false, &Entry::ended);
    drive(*only, deadline);
  } else {
    wait(deadline);
  }
}

std::unique_ptr<Transport> PollingMultiplexer::adopt(Transport& other) {
  return std::make_unique<PollingTransport>(*this, other);
}

void PollingMultiplexer::leave(const Exchange& exchange) noexcept {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.exchange == &exchange; });
}

/// Whether any exchange made progress.
bool PollingMultiplexer::look_at_all() {
  bool moved = false;
  for (auto& entry : entries_) {
    if (entry.ended) continue;
    // An exchange that throws has ended; those after it are still driven.
    const auto progress = drive_guarded(*entry.exchange, *entry.sink, TimePoint::min());
    entry.ended = progress == Progress::ended;
    if (progress == Progress::delivered || entry.ended) moved = true;
  }
  return moved;
}

/// Lets the only exchange wait in its own way.
void PollingMultiplexer::drive(Entry& entry, TimePoint deadline) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(woken_, false)) return;
    driven_ = entry.transport;
  }
  entry.ended = drive_guarded(*entry.exchange, *entry.sink, deadline) == Progress::ended;
  const std::lock_guard lock(mutex_);
  driven_ = nullptr;
  woken_ = false;
}

void PollingMultiplexer::wait(TimePoint deadline) {
  bool unknown = false;
  bool remote = false;
  for (const auto& entry : entries_) {
    if (entry.ended) continue;
    if (const auto due = entry.exchange->due()) {
      deadline = std::min(deadline, *due);
    } else {
      unknown = true;
      remote = remote || entry.transport->is_remote();
    }
  }
  std::unique_lock lock(mutex_);
  while (!woken_ && clock_.now() < deadline) {
    if (unknown) {
      // A network is waited for in real time, whatever the clock.
      wait_until_next_poll(lock, remote ? TimePoint::max() : deadline);
      break;
    }
    clock_.wait(lock, changed_, deadline);
  }
  woken_ = false;
}

/// Waits for a millisecond. If the clock jumps over it, nothing happens in between, and it may jump to the
/// deadline.
void PollingMultiplexer::wait_until_next_poll(std::unique_lock<std::mutex>& lock, TimePoint deadline) {
  constexpr std::chrono::milliseconds pause(1);
  if (deadline == TimePoint::max()) {
    changed_.wait_for(lock, pause);
    return;
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto next = std::min(deadline, clock_.now() + pause);
  clock_.wait(lock, changed_, next);
  if (woken_ || clock_.now() < next) return;
  if (std::chrono::steady_clock::now() - begun < pause) clock_.wait(lock, changed_, deadline);
}

}  // namespace inferwire::inline v0_1::client
