/// \file
/// A server of many slow streams, as a process of its own: each stream brings an event every 200 ms, spread
/// evenly over that time. The member `created` of an event says when it was sent, in microseconds of the
/// machine's steady clock.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inferwire_bench {

inline std::int64_t microseconds_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Both sides need a descriptor a stream.
inline void allow_many_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

class SlowStreams {
 public:
  static constexpr int slots = 200;  // of a millisecond each: an event's period

  /// `events` of each stream; listens at once, serves from a child process.
  explicit SlowStreams(int events) : events_(events) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    constexpr int backlog = 4096;
    if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, backlog) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::perror("no server");
      std::exit(1);
    }
    port = ntohs(address.sin_port);
    url = "http://127.0.0.1:" + std::to_string(port);
    process_ = ::fork();
    if (process_ == 0) serve();
    ::close(listener_);
  }
  ~SlowStreams() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  SlowStreams(const SlowStreams&) = delete;
  SlowStreams& operator=(const SlowStreams&) = delete;

  std::uint16_t port{};
  std::string url;

 private:
  struct Stream {
    int socket{-1};
    int sent{-1};  ///< events; below 0: the request is not there yet
  };

  static std::string chunk_of(std::string_view text) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    return size + std::string(text) + "\r\n";
  }
  static void send_all(int socket, std::string_view bytes) {
    [[maybe_unused]] const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  [[noreturn]] void serve() {
    allow_many_descriptors();
    const int epoll = ::epoll_create1(0);
    epoll_event event{.events = EPOLLIN, .data = {.fd = listener_}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener_, &event);
    std::array<std::vector<Stream>, slots> wheel;
    std::unordered_map<int, bool> asking;
    int next_slot = 0;
    auto tick = std::chrono::steady_clock::now();
    for (std::size_t slot = 0;;) {
      std::array<epoll_event, 256> news;
      const auto left = tick - std::chrono::steady_clock::now();
      const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
      const int count =
          ::epoll_wait(epoll, news.data(), news.size(), static_cast<int>(std::max<long>(wait, 0)));
      for (int i = 0; i < count; ++i) {
        const int ready = news[static_cast<std::size_t>(i)].data.fd;
        if (ready == listener_) {
          for (int one = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK); one >= 0;
               one = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) {
            const int on = 1;
            ::setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            epoll_event each{.events = EPOLLIN, .data = {.fd = one}};
            ::epoll_ctl(epoll, EPOLL_CTL_ADD, one, &each);
          }
          continue;
        }
        char bytes[4096];
        const auto got = ::recv(ready, bytes, sizeof bytes, 0);
        if (got <= 0) {
          ::close(ready);  // its place in the wheel, if it has one, fails to send
          continue;
        }
        if (std::exchange(asking[ready], true)) continue;
        send_all(ready,
                 "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        wheel[static_cast<std::size_t>(next_slot)].push_back({.socket = ready, .sent = 0});
        next_slot = (next_slot + 1) % slots;
      }
      if (std::chrono::steady_clock::now() < tick) continue;
      tick += std::chrono::milliseconds(1);
      auto& due = wheel[slot];
      slot = (slot + 1) % slots;
      for (auto& stream : due) play(stream, asking);
      std::erase_if(due, [](const Stream& stream) { return stream.socket < 0; });
    }
  }

  void play(Stream& stream, std::unordered_map<int, bool>& asking) const {
    if (stream.sent == events_) {
      send_all(stream.socket,
               chunk_of("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}"
                        "\n\ndata: [DONE]\n\n") +
                   "0\r\n\r\n");
      asking[stream.socket] = false;
      stream.socket = -1;
      return;
    }
    ++stream.sent;
    send_all(
        stream.socket,
        chunk_of(
            R"(data: {"id":"chatcmpl_2c653de2-afd4-4075-bc8d-8200562a191b","object":"chat.completion.chunk",)"
            R"("created":)" +
            std::to_string(microseconds_now()) +
            R"(,"model":"toy-70b-instruct","choices":[{"index":0,"delta":{"content":" the"},)"
            R"("logprobs":null,"finish_reason":null}]})"
            "\n\n"));
  }

  int events_;
  int listener_{-1};
  pid_t process_{};
};

}  // namespace inferwire_bench
