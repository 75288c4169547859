#include "http/loop/curl_shard.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

// A burst of streams leaves its connections for the next one.
constexpr Reactor::Keep keep_of_many{.connections = 1024, .transfers = 64, .lingering = 64};

}  // namespace

CurlShard::CurlShard(Poller& poller, std::size_t number, std::shared_ptr<CurlPool> pool)
    : poller_(poller), number_(number), pool_(std::move(pool)), reactor_(keep_of_many) {
  if (!reactor_.usable()) return;
  CURLM* const multi = reactor_.multi();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, &CurlShard::on_socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, &CurlShard::on_timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, this);
}

CurlShard::~CurlShard() = default;

Result<void> CurlShard::add(Transfer& transfer) {
  connecting_.push_back(&transfer);
  transfer.place_ = connecting_.size() - 1;
  if (Transfer::libcurl_sleeps_over_addresses() && look_at_addresses_ == TimePoint::max()) {
    look_at_addresses_ = std::chrono::steady_clock::now() + Transfer::address_sleep;
  }
  auto added = reactor_.add(transfer);
  if (!added) forget_connecting(transfer);
  return added;
}

/// Transfers that wait for the handshake of another's connection, to see whether they can share it, would
/// wait for its whole answer if it speaks HTTP/1.1: newer libcurls (8.14, for example) do not look again
/// before.
void CurlShard::note_connected(Transfer& transfer) noexcept {
  if (transfer.place_ == Transfer::not_connecting) return;  // noted before
  forget_connecting(transfer);
  if (!multiplexes() || !transfer.has_new_connection()) return;
  for (auto* const other : connecting_) {
    if (other->may_wait_for(transfer)) reactor_.choose_again(*other);
  }
}

void CurlShard::remove(Transfer& transfer) noexcept {
  forget_connecting(transfer);
  reactor_.remove(transfer);
}

void CurlShard::linger(std::unique_ptr<Transfer> transfer) noexcept {
  forget_connecting(*transfer);
  reactor_.linger(std::move(transfer));
}

void CurlShard::leave() noexcept {
  if (--exchanges_ == 0) idle_since_ = std::chrono::steady_clock::now();
}

TimePoint CurlShard::outdated() const noexcept {
  if (exchanges_ > 0) return TimePoint::max();
  return reactor_.usable() ? idle_since_ + pool_->network().max_idle() : TimePoint::min();
}

TimePoint CurlShard::due() const noexcept {
  // GCC makes a loop of a list of four.
  return std::min({std::min(due_, look_at_addresses_), reactor_.lingers_until(), outdated()});
}

void CurlShard::act_when_due(TimePoint now) noexcept {
  if (look_at_addresses_ <= now) look_at_addresses(now);
  // Twice, since a transfer that has sent its request asks to be called again at once.
  for (int calls = 0; calls == 0 || (calls == 1 && due_ <= std::chrono::steady_clock::now()); ++calls) {
    due_ = TimePoint::max();  // libcurl sets the time of its next call
    reactor_.act(CURL_SOCKET_TIMEOUT, 0);
  }
}

/// Takes constant time: calls on reused connections begin by the thousands between two looks at addresses.
void CurlShard::forget_connecting(Transfer& transfer) noexcept {
  if (transfer.place_ == Transfer::not_connecting) return;
  auto& last = *connecting_.back();
  connecting_[transfer.place_] = &last;
  last.place_ = transfer.place_;
  transfer.place_ = Transfer::not_connecting;
  connecting_.pop_back();
}

void CurlShard::look_at_addresses(TimePoint now) noexcept {
  for (auto* const transfer : connecting_) transfer->look_at_addresses();
  look_at_addresses_ = connecting_.empty() ? TimePoint::max() : now + Transfer::address_sleep;
}

int CurlShard::on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void*) noexcept {
  const auto& shard = *static_cast<CurlShard*>(self);
  auto& poller = shard.poller_;
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
  // If the callback failed, libcurl would give up all other transfers as well.
  auto* const transfer = watched ? nullptr : Transfer::of(easy);
  if (transfer != nullptr) transfer->give_up("the system can watch no more sockets");
  return 0;
}

int CurlShard::on_timer(CURLM*, long milliseconds, void* self) noexcept {
  static_cast<CurlShard*>(self)->due_ =
      milliseconds < 0 ? TimePoint::max()
                       : std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  return 0;
}

}  // namespace inferwire::inline v0_1::http
