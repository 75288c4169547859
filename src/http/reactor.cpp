#include "http/reactor.hpp"

#include "base/make_room.hpp"
#include "http/curl_pool.hpp"
#include "http/wait_time.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace inferwire::inline v0_1::http {

namespace {

// The chunk that closes a stream usually arrives together with its end marker; if the server does not send it
// within this time, the connection is closed.
constexpr auto linger_time = std::chrono::seconds(1);
/// CURLMOPT_QUICK_EXIT by number, for headers older than the library: without it, newer libcurls (8.23, for
/// example) wait in curl_multi_cleanup until all name lookups have ended. Older ones do not know the option.
constexpr auto quick_exit = static_cast<CURLMoption>(21);

Error multi_error(CURLMcode code) {
  return {.kind = ErrorKind::connection, .detail = std::string("libcurl: ") + curl_multi_strerror(code)};
}

}  // namespace

Reactor::Reactor() : Reactor(Keep()) {
  // If no descriptor is left, libcurl creates a multi that cannot be woken.
  if (multi_ && curl_multi_wakeup(multi_.get()) != CURLM_OK) multi_.reset();
}

Reactor::Reactor(const Keep& keep) : keep_(keep), multi_(curl_multi_init()) {
  spares_.reserve(keep_.transfers);
  lingering_.reserve(keep_.lingering);
  if (!multi_) return;
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, keep_.connections);
  curl_multi_setopt(multi_.get(), quick_exit, 1L);
}

Reactor::~Reactor() {
  for (auto& [transfer, until] : lingering_) remove(*transfer);
}

bool Reactor::has_served(std::string_view origin) const noexcept {
  return std::ranges::find(origins_, origin) != origins_.end();
}

void Reactor::note_origin(std::string_view origin) {
  const auto known = std::ranges::find(origins_, origin);
  if (known != origins_.end()) {
    std::rotate(known, known + 1, origins_.end());
    return;
  }
  if (!has_room()) origins_.erase(origins_.begin());
  origins_.emplace_back(origin);
}

std::unique_ptr<Transfer> Reactor::take_transfer(const CurlPool& pool) {
  if (spares_.empty()) {
    return std::make_unique<Transfer>(pool.share(), pool.network(), sockets_, pool.wire());
  }
  auto spare = std::move(spares_.back());
  spares_.pop_back();
  return spare;
}

void Reactor::give_back(std::unique_ptr<Transfer> transfer) noexcept {
  transfer->finish();
  if (spares_.size() == keep_.transfers || !transfer->usable()) return;
  try {
    spares_.push_back(std::move(transfer));
  } catch (...) {}  // no memory to keep it
}

Result<void> Reactor::add(Transfer& transfer) {
  if (!usable()) {
    return Error{.kind = ErrorKind::connection,
                 .detail = "libcurl cannot be set up: too few descriptors are left, or memory ran out",
                 .retryable = true};
  }
  const auto code = curl_multi_add_handle(multi_.get(), transfer.handle());
  if (code != CURLM_OK) return multi_error(code);
  return {};
}

void Reactor::choose_again(Transfer& transfer) noexcept {
  transfer.note_choice();
  curl_multi_remove_handle(multi_.get(), transfer.handle());
  if (curl_multi_add_handle(multi_.get(), transfer.handle()) != CURLM_OK)
    transfer.set_result(CURLE_OUT_OF_MEMORY);
}

void Reactor::remove(Transfer& transfer) noexcept {
  transfer.abandon();
  curl_multi_remove_handle(multi_.get(), transfer.handle());
}

void Reactor::linger(std::unique_ptr<Transfer> transfer) noexcept {
  if (lingering_.size() == keep_.lingering) {
    remove(*lingering_.front().transfer);
    lingering_.erase(lingering_.begin());
  }
  try {
    make_room(lingering_, lingering_.size() + 1);
  } catch (...) {
    return remove(*transfer);
  }
  lingering_.push_back({std::move(transfer), std::chrono::steady_clock::now() + linger_time});
}

Result<void> Reactor::move() {
  int running{};
  const auto code = curl_multi_perform(multi_.get(), &running);
  collect_results();
  if (code != CURLM_OK) return multi_error(code);
  return {};
}

bool Reactor::wait(TimePoint deadline) noexcept {
  int ready{};
  const auto code = curl_multi_poll(multi_.get(), nullptr, 0, wait_milliseconds(deadline), &ready);
  if (code != CURLM_OK || ready > 0) return true;
  long due{};  // libcurl's next timer, in milliseconds from now; below 0: none
  return curl_multi_timeout(multi_.get(), &due) != CURLM_OK || due == 0;
}

void Reactor::wake() noexcept { curl_multi_wakeup(multi_.get()); }

void Reactor::act(curl_socket_t socket, int events) noexcept {
  int running{};
  curl_multi_socket_action(multi_.get(), socket, events, &running);
  collect_results();
}

/// Sets the results of transfers that libcurl ended, and releases those that lingered too long.
void Reactor::collect_results() noexcept {
  int left{};
  while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer::of(message->easy_handle)->set_result(message->data.result);
  }
  if (!lingering_.empty()) end_lingering(std::chrono::steady_clock::now());
}

void Reactor::end_lingering(TimePoint now) noexcept {
  std::erase_if(lingering_, [&](Lingering& one) {
    if (!one.transfer->has_result() && now < one.until) return false;
    remove(*one.transfer);
    give_back(std::move(one.transfer));
    return true;
  });
}

}  // namespace inferwire::inline v0_1::http
