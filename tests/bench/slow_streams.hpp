/// \file
/// A server of many slow streams, in a process of its own. Each stream brings an event every 200 ms; the
/// streams are spread evenly over that time. An event's member `created` says when it was sent, in
/// microseconds of the machine's steady clock.
#pragma once

#include "loopback_server.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
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

/// Raises the limit of open files: client and server need a descriptor for each stream.
inline void allow_many_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

class SlowStreams : public LoopbackServer {
 public:
  static constexpr int slots = 200;  // of a millisecond each: together an event's period

  /// Each stream has `events` events.
  explicit SlowStreams(int events)
      : LoopbackServer(SOCK_NONBLOCK, [events](int listener) { serve(listener, events); }) {}

 private:
  struct Stream {
    int socket{-1};
    int sent{-1};  ///< the number of events; below 0: the request is not there yet
  };

  static void send_all(int socket, std::string_view bytes) {
    [[maybe_unused]] const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  [[noreturn]] static void serve(int listener, int events) {
    allow_many_descriptors();
    const int epoll = ::epoll_create1(0);
    epoll_event event{.events = EPOLLIN, .data = {.fd = listener}};
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
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
        if (ready == listener) {
          for (int one = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK); one >= 0;
               one = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) {
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
          if (asking[ready]) leave(wheel, ready);
          asking.erase(ready);
          ::close(ready);
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
      for (auto& stream : due) play(stream, events, asking);
      std::erase_if(due, [](const Stream& stream) { return stream.socket < 0; });
    }
  }

  /// Takes a stream out that its reader left early: the next connection may get the number of its socket.
  static void leave(std::array<std::vector<Stream>, slots>& wheel, int socket) {
    for (auto& due : wheel) std::erase_if(due, [&](const Stream& stream) { return stream.socket == socket; });
  }

  /// Sends the next event of a stream, or its end if `events` were sent.
  static void play(Stream& stream, int events, std::unordered_map<int, bool>& asking) {
    if (stream.sent == events) {
      send_all(stream.socket,
               http_chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}"
                          "\n\ndata: [DONE]\n\n") +
                   "0\r\n\r\n");
      asking[stream.socket] = false;
      stream.socket = -1;
      return;
    }
    ++stream.sent;
    send_all(
        stream.socket,
        http_chunk(
            R"(data: {"id":"chatcmpl_2c653de2-afd4-4075-bc8d-8200562a191b","object":"chat.completion.chunk",)"
            R"("created":)" +
            std::to_string(microseconds_now()) +
            R"(,"model":"toy-70b-instruct","choices":[{"index":0,"delta":{"content":" the"},)"
            R"("logprobs":null,"finish_reason":null}]})"
            "\n\n"));
  }
};

}  // namespace inferwire_bench
