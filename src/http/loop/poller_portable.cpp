// Uses curl_multi_poll, which can wait on every system that libcurl supports.
#include "http/loop/poller.hpp"
#include "http/wait_time.hpp"

#include <algorithm>
#include <vector>

namespace inferwire::inline v0_1::http {

namespace {

class PortablePoller final : public Poller {
 public:
  PortablePoller() : multi_(curl_multi_init()) {
    // See Reactor::Reactor.
    if (multi_ && curl_multi_wakeup(multi_.get()) != CURLM_OK) multi_.reset();
  }

  bool usable() const noexcept { return multi_ != nullptr; }

  bool watch(curl_socket_t socket, std::size_t owner, bool read, bool write) override {
    const auto events = static_cast<short>((read ? CURL_WAIT_POLLIN : 0) | (write ? CURL_WAIT_POLLOUT : 0));
    const auto found = std::ranges::find(sockets_, socket, &curl_waitfd::fd);
    if (found != sockets_.end()) {
      found->events = events;
      owners_[static_cast<std::size_t>(found - sockets_.begin())] = owner;
      return true;
    }
    sockets_.push_back({.fd = socket, .events = events, .revents = 0});
    owners_.push_back(owner);
    return true;
  }

  void forget(curl_socket_t socket) noexcept override {
    const auto found = std::ranges::find(sockets_, socket, &curl_waitfd::fd);
    if (found == sockets_.end()) return;
    owners_.erase(owners_.begin() + (found - sockets_.begin()));
    sockets_.erase(found);
  }

  std::span<const Ready> wait(TimePoint deadline) override {
    ready_.clear();
    for (auto& socket : sockets_) socket.revents = 0;
    curl_multi_poll(multi_.get(), sockets_.data(), static_cast<unsigned>(sockets_.size()),
                    wait_milliseconds(deadline), nullptr);
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      const auto events = sockets_[i].revents;
      if (events == 0) continue;
      const bool read = (events & CURL_WAIT_POLLIN) != 0;
      const bool write = (events & CURL_WAIT_POLLOUT) != 0;
      ready_.push_back({sockets_[i].fd, owners_[i], read, write, !read && !write});
    }
    return ready_;
  }

  void wake() noexcept override { curl_multi_wakeup(multi_.get()); }

 private:
  struct Cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
  };

  std::unique_ptr<CURLM, Cleanup> multi_;  // has no transfers: only its poll and its wake-up are used
  std::vector<curl_waitfd> sockets_;
  std::vector<std::size_t> owners_;  // of the socket at the same place
  std::vector<Ready> ready_;
};

}  // namespace

std::unique_ptr<Poller> make_portable_poller() {
  auto poller = std::make_unique<PortablePoller>();
  if (!poller->usable()) return nullptr;
  return poller;
}

#ifndef __linux__
std::unique_ptr<Poller> make_poller() { return make_portable_poller(); }
#endif

}  // namespace inferwire::inline v0_1::http
