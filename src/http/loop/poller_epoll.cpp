// Linux: epoll, whose wait costs time for each event, not for each watched socket.
#ifdef __linux__

#include "http/loop/poller.hpp"
#include "http/wait_time.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

namespace inferwire::inline v0_1::http {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) noexcept : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const noexcept { return value_; }

 private:
  int value_;
};

class EpollPoller final : public Poller {
 public:
  EpollPoller() {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;  // each write wakes once and need not be read
    event.data.u64 = wake_mark;
    usable_ = epoll_.get() >= 0 && wake_.get() >= 0 &&
              epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) == 0;
    ready_.reserve(batch);
  }

  bool usable() const noexcept { return usable_; }

  bool watch(curl_socket_t socket, std::size_t owner, bool read, bool write) override {
    epoll_event event{};
    event.events = (read ? EPOLLIN : 0u) | (write ? EPOLLOUT : 0u);
    event.data.u64 = (static_cast<std::uint64_t>(owner) << 32) | static_cast<std::uint32_t>(socket);
    if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event) == 0) return true;
    return errno == EEXIST && epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, socket, &event) == 0;
  }

  void forget(curl_socket_t socket) noexcept override {
    epoll_event unused{};
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, socket, &unused);
  }

  std::span<const Ready> wait(TimePoint deadline) override {
    ready_.clear();
    std::array<epoll_event, batch> events;
    const int count = epoll_wait(epoll_.get(), events.data(), batch, wait_milliseconds(deadline));
    for (int i = 0; i < count; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      if (event.data.u64 == wake_mark) continue;
      ready_.push_back({.socket = static_cast<int>(event.data.u64 & 0xffffffffu),
                        .owner = static_cast<std::size_t>(event.data.u64 >> 32),
                        .read = (event.events & EPOLLIN) != 0,
                        .write = (event.events & EPOLLOUT) != 0,
                        .failed = (event.events & (EPOLLERR | EPOLLHUP)) != 0});
    }
    full_ = count == batch;
    return ready_;
  }
  bool has_more() const noexcept override { return full_; }

  void wake() noexcept override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof one);
  }

 private:
  static constexpr int batch = 256;
  static constexpr std::uint64_t wake_mark = ~std::uint64_t{0};

  Descriptor epoll_{epoll_create1(EPOLL_CLOEXEC)};
  Descriptor wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  bool usable_{};
  bool full_{};
  std::vector<Ready> ready_;
};

}  // namespace

std::unique_ptr<Poller> make_poller() {
  auto poller = std::make_unique<EpollPoller>();
  if (!poller->usable()) return nullptr;
  return poller;
}

}  // namespace inferwire::inline v0_1::http

#endif
