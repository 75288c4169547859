#include "http/curl_multiplexer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "http/curl_transport.hpp"
#include "http/multiplexed_exchange.hpp"

namespace inferwire::inline v0_1::http {

namespace {

// A burst of streams leaves its connections to the next one.
constexpr Reactor::Keep keep_of_many{.connections = 1024, .transfers = 64, .lingering = 64};

}  // namespace

CurlHub::Shard::Shard(CurlHub& hub, std::size_t number, std::shared_ptr<CurlPool> pool)
    : hub_(hub), number_(number), pool_(std::move(pool)), reactor_(keep_of_many) {
  if (!reactor_.usable()) return;
  CURLM* const multi = reactor_.multi();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &Shard::on_socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &Shard::on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
}

CurlHub::Shard::~Shard() = default;

Result<void> CurlHub::Shard::add(Transfer& transfer) {
  if (auto added = reactor_.add(transfer); !added) return added;
  ++transfers_;
  return {};
}

void CurlHub::Shard::remove(Transfer& transfer) noexcept {
  --transfers_;
  reactor_.remove(transfer);
}

void CurlHub::Shard::linger(std::unique_ptr<Transfer> transfer) noexcept {
  --transfers_;
  reactor_.linger(std::move(transfer));
}

void CurlHub::Shard::leave() noexcept {
  if (--exchanges_ == 0) idle_since_ = std::chrono::steady_clock::now();
}

TimePoint CurlHub::Shard::outdated() const noexcept {
  return exchanges_ == 0 ? idle_since_ + pool_->network().max_idle() : TimePoint::max();
}

TimePoint CurlHub::Shard::due() const noexcept {
  return std::min({due_, reactor_.lingers_until(), outdated()});
}

void CurlHub::Shard::act(curl_socket_t socket, int events) noexcept {
  if (socket == CURL_SOCKET_TIMEOUT) due_ = TimePoint::max();  // libcurl says when it wants to be called next
  int running{};
  curl_multi_socket_action(reactor_.multi(), socket, events, &running);
  reactor_.collect_results();
}

int CurlHub::Shard::on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void*) noexcept {
  const auto& shard = *static_cast<Shard*>(self);
  auto& poller = *shard.hub_.poller_;
  if (what == CURL_POLL_REMOVE) {
    poller.forget(socket);
    return 0;
  }
  const bool read = what == CURL_POLL_IN || what == CURL_POLL_INOUT;
  const bool write = what == CURL_POLL_OUT || what == CURL_POLL_INOUT;
  bool watched = false;
  try {
    watched = poller.watch(socket, shard.number_, read, write);
  } catch (...) {  // no memory
  }
  // Told of it, libcurl would give up all the others, too.
  auto* const transfer = watched ? nullptr : Transfer::of(easy);
  if (transfer != nullptr) transfer->give_up("the system can watch no more sockets");
  return 0;
}

int CurlHub::Shard::on_timer(CURLM*, long milliseconds, void* self) noexcept {
  static_cast<Shard*>(self)->due_ =
      milliseconds < 0 ? TimePoint::max()
                       : std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  return 0;
}

CurlHub::Shard& CurlHub::shard(const std::shared_ptr<CurlPool>& pool) {
  for (const auto& shard : shards_) {
    if (shard && &shard->pool() == pool.get() && !shard->full()) return *shard;
  }
  // Shards keep their numbers, by which their sockets are known.
  auto place = std::find(shards_.begin(), shards_.end(), nullptr);
  if (place == shards_.end()) place = shards_.emplace(place);
  const auto number = static_cast<std::size_t>(place - shards_.begin());
  *place = std::make_unique<Shard>(*this, number, pool);
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

void CurlHub::attend(Member& member) { attended_.push_back(&member); }

void CurlHub::forget(Member& member) noexcept {
  std::ranges::replace(attended_, &member, static_cast<Member*>(nullptr));
  std::ranges::replace(looking_, &member, static_cast<Member*>(nullptr));
}

void CurlHub::watch_connecting(Member& member) {
  member.place_ = connecting_.size();
  connecting_.push_back(&member);
  if (look_at_connecting_ == TimePoint::max()) {
    look_at_connecting_ = std::chrono::steady_clock::now() + Transfer::address_sleep;
  }
}

void CurlHub::stop_watching(Member& member) noexcept {
  auto& last = *connecting_.back();
  last.place_ = member.place_;
  connecting_[last.place_] = &last;
  connecting_.pop_back();
}

bool CurlHub::run(TimePoint deadline) {
  if (const auto count = wakes(); count != std::exchange(seen_wakes_, count)) return true;
  const bool urgent = prepare_members();
  // What has just been begun is due at once, and need not wait for news of sockets; but not twice in a row,
  // nor where somebody judges by the time what has not arrived.
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
  // All that can move, in as many looks as that takes: who is silent is judged by it.
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

/// Whether any shard was due.
bool CurlHub::act_due() {
  bool acted = false;
  if (next_due() == TimePoint::max()) return acted;
  const auto now = std::chrono::steady_clock::now();
  look_at_connecting(now);
  for (auto& shard : shards_) {
    if (!shard || shard->due() > now) continue;
    if (shard->outdated() <= now) {
      shard.reset();
      continue;
    }
    shard->act(CURL_SOCKET_TIMEOUT, 0);
    acted = true;
  }
  return acted;
}

void CurlHub::look_at_connecting(TimePoint now) noexcept {
  if (now < look_at_connecting_) return;
  for (std::size_t i = 0; i < connecting_.size();) {
    auto& member = *connecting_[i];
    if (member.connect_further()) {
      ++i;
    } else {
      stop_watching(member);
    }
  }
  look_at_connecting_ = connecting_.empty() ? TimePoint::max() : now + Transfer::address_sleep;
}

void CurlHub::wake() noexcept {
  wakes_.fetch_add(1, std::memory_order_release);
  poller_->wake();
}

TimePoint CurlHub::next_due() const noexcept {
  auto next = look_at_connecting_;
  for (const auto& shard : shards_) {
    if (shard) next = std::min(next, shard->due());
  }
  return next;
}

bool CurlHub::prepare_members() noexcept {
  bool urgent = false;
  // By index: libcurl hands out bytes from in here, and their sinks may want attention.
  for (std::size_t i = 0; i < attended_.size(); ++i) {
    if (attended_[i] != nullptr && attended_[i]->prepare()) urgent = true;
  }
  return urgent;
}

void CurlHub::look_after_members() {
  looking_.swap(attended_);
  for (std::size_t i = 0; i < looking_.size(); ++i) {
    if (looking_[i] != nullptr && looking_[i]->look()) attended_.push_back(looking_[i]);
  }
  looking_.clear();
}

namespace {

/// Starts the exchanges of one more transport on a hub, whose connections go when it goes.
class Guest final : public Transport {
 public:
  Guest(std::shared_ptr<CurlPool> pool, std::shared_ptr<CurlHub> hub)
      : pool_(std::move(pool)), hub_(std::move(hub)) {
    hub_->join(*pool_);
  }
  ~Guest() override { hub_->leave(*pool_); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return MultiplexedExchange::start(hub_, hub_->shard(pool_), std::move(request), sink, options);
  }
  void wake() noexcept override { hub_->wake(); }

 private:
  std::shared_ptr<CurlPool> pool_;
  std::shared_ptr<CurlHub> hub_;
};

}  // namespace

Result<std::unique_ptr<Exchange>> CurlMultiplexer::start(HttpRequest request, Sink& sink,
                                                         const ExchangeOptions& options) {
  return MultiplexedExchange::start(hub_, hub_->shard(pool_), std::move(request), sink, options);
}

std::unique_ptr<Transport> CurlMultiplexer::adopt(Transport& other) {
  const auto* const curl = CurlTransport::in(other);
  if (curl == nullptr) return nullptr;
  return std::make_unique<Guest>(curl->pool(), hub_);
}

}  // namespace inferwire::inline v0_1::http
