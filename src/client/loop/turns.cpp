#include "client/loop/turns.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "client/thrown.hpp"

namespace inferwire::inline v0_1::client {

/// Outlives the exchanges. Used by the thread that moves them, but for `wake`.
class TurnTable {
 public:
  /// An exchange, and the transport that can be woken from another thread.
  struct Seat {
    Exchange* exchange{};
    Transport* transport{};
    Sink* sink{};
    bool ended{};
  };

  explicit TurnTable(Clock& clock) : clock_(clock) {}

  void enter(Exchange& exchange, Transport& transport, Sink& sink) {
    seats_.push_back({&exchange, &transport, &sink, false});
  }
  void leave(const Exchange& exchange) noexcept {
    std::erase_if(seats_, [&](const Seat& seat) { return seat.exchange == &exchange; });
  }
  bool empty() const noexcept { return seats_.empty(); }

  void wake() noexcept {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
    if (driven_ != nullptr) driven_->wake();
  }

  void run(TimePoint deadline) {
    if (look_at_all()) return;
    const auto waiting = std::ranges::count_if(seats_, [](const Seat& seat) { return !seat.ended; });
    if (waiting == 1) {
      const auto only = std::ranges::find(seats_, false, &Seat::ended);
      drive(*only, deadline);
    } else {
      wait(deadline);
    }
  }

 private:
  /// Whether anything came of it.
  bool look_at_all() {
    bool moved = false;
    for (auto& seat : seats_) {
      if (seat.ended) continue;
      // One that throws has ended; those behind it have their turns all the same.
      const auto progress = drive_guarded(*seat.exchange, *seat.sink, TimePoint::min());
      seat.ended = progress == Progress::ended;
      if (progress == Progress::delivered || seat.ended) moved = true;
    }
    return moved;
  }

  /// Lets the only one wait where it knows best how.
  void drive(Seat& seat, TimePoint deadline) {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(woken_, false)) return;
      driven_ = seat.transport;
    }
    seat.ended = drive_guarded(*seat.exchange, *seat.sink, deadline) == Progress::ended;
    const std::lock_guard lock(mutex_);
    driven_ = nullptr;
    woken_ = false;
  }

  void wait(TimePoint deadline) {
    bool unknown = false;
    for (const auto& seat : seats_) {
      if (seat.ended) continue;
      const auto due = seat.exchange->due();
      if (!due) unknown = true;
      if (due) deadline = std::min(deadline, *due);
    }
    std::unique_lock lock(mutex_);
    while (!woken_ && clock_.now() < deadline) {
      if (unknown) {
        changed_.wait_for(lock, std::chrono::milliseconds(1));
        break;
      }
      clock_.wait(lock, changed_, deadline);
    }
    woken_ = false;
  }

  Clock& clock_;
  std::vector<Seat> seats_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool woken_{};
  Transport* driven_{};
};

namespace {

/// An exchange that takes its turns for as long as it lives. It is not woken by itself: what waits is the
/// table.
class Seated final : public Exchange {
 public:
  Seated(std::shared_ptr<TurnTable> table, Transport& transport, Sink& sink,
         std::unique_ptr<Exchange> exchange)
      : table_(std::move(table)), exchange_(std::move(exchange)) {
    table_->enter(*exchange_, transport, sink);
  }
  ~Seated() override { table_->leave(*exchange_); }

  Progress drive(TimePoint deadline) override { return exchange_->drive(deadline); }
  void pause() override { exchange_->pause(); }
  void resume() override { exchange_->resume(); }
  Optional<TimePoint> due() const override { return exchange_->due(); }
  std::string_view obstacle() const noexcept override { return exchange_->obstacle(); }
  void release() override { exchange_->release(); }
  void reject() override { exchange_->reject(); }

 private:
  std::shared_ptr<TurnTable> table_;
  std::unique_ptr<Exchange> exchange_;
};

/// Starts exchanges of a transport, and seats them.
class Seating final : public Transport {
 public:
  Seating(std::shared_ptr<TurnTable> table, Transport& transport)
      : table_(std::move(table)), transport_(transport) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    auto exchange = transport_.start(std::move(request), sink, options);
    if (!exchange) return exchange;
    return std::unique_ptr<Exchange>(
        std::make_unique<Seated>(table_, transport_, sink, *std::move(exchange)));
  }
  void wake() noexcept override { table_->wake(); }

 private:
  std::shared_ptr<TurnTable> table_;
  Transport& transport_;
};

}  // namespace

Turns::Turns(Clock& clock) : table_(std::make_shared<TurnTable>(clock)) {}
Turns::~Turns() = default;

Result<std::unique_ptr<Exchange>> Turns::start(HttpRequest, Sink&, const ExchangeOptions&) {
  return Error{.kind = ErrorKind::config,
               .detail = "exchanges are started where their transport was adopted"};
}

void Turns::wake() noexcept { table_->wake(); }
void Turns::run(TimePoint deadline) { table_->run(deadline); }
bool Turns::empty() const noexcept { return table_->empty(); }

std::unique_ptr<Transport> Turns::adopt(Transport& other) { return std::make_unique<Seating>(table_, other); }

}  // namespace inferwire::inline v0_1::client
