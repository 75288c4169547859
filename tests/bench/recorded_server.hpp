/// \file
/// A server of recorded answers, in a process of its own: a thread for each connection, keep-alive, and as
/// little work as possible.
#pragma once

#include "loopback_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace inferwire_bench {

/// An answer to a path, with its head.
struct Recorded {
  std::string path;
  std::vector<std::string> pieces;    ///< each is sent on its own, in parts of at most 16 KB
  std::chrono::microseconds apart{};  ///< the time from one piece to the next
};

/// A head as services send it.
inline std::string recorded_head(std::string_view type) {
  std::string out = "HTTP/1.1 200 OK\r\nContent-Type: ";
  (out += type) += "\r\n";
  for (int i = 0; i < 15; ++i) {
    out +=
        "X-Realistic-Header-" + std::to_string(i) + ": a value of usual length " + std::to_string(i) + "\r\n";
  }
  return out;
}

inline std::string whole_answer(std::string_view body) {
  return recorded_head("application/json") + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

inline std::string stream_head() {
  return recorded_head("text/event-stream") + "Transfer-Encoding: chunked\r\n\r\n";
}

/// A stream that comes as fast as it can, in HTTP chunks of 16 KB.
inline Recorded bulk_stream(std::string path, std::string_view body) {
  std::string out = stream_head();
  for (; !body.empty(); body.remove_prefix(std::min<std::size_t>(body.size(), 16 * 1024))) {
    out += http_chunk(body.substr(0, 16 * 1024));
  }
  return {.path = std::move(path), .pieces = {out + "0\r\n\r\n"}};
}

/// The first `count` events of a stream and its last one ("[DONE]"), each sent alone.
inline Recorded stream_of_events(std::string path, std::string_view body, int count,
                                 std::chrono::microseconds apart = {}) {
  Recorded out{.path = std::move(path), .pieces = {stream_head()}, .apart = apart};
  for (int i = 0; i < count; ++i) {
    const auto end = body.find("\n\n") + 2;
    out.pieces.push_back(http_chunk(body.substr(0, end)));
    body.remove_prefix(end);
  }
  out.pieces.push_back(http_chunk("data: [DONE]\n\n") + "0\r\n\r\n");
  return out;
}

/// Answers POST requests for the paths that it knows, in turn if a path has several answers. Answers all
/// other paths with the number of connections so far.
class RecordedServer : public LoopbackServer {
 public:
  explicit RecordedServer(const std::vector<Recorded>& answers)
      : LoopbackServer(0, [&](int listener) { serve(listener, answers); }) {}

 private:
  static bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent =
          ::send(socket, bytes.data(), std::min<std::size_t>(bytes.size(), 16 * 1024), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// The path of the next request; "" if the client has left. A request may come in several pieces.
  static std::string next_path(int socket) {
    std::string request;
    std::vector<char> bytes(64 * 1024);
    for (;;) {
      const auto count = ::recv(socket, bytes.data(), bytes.size(), 0);
      if (count <= 0) return {};
      request.append(bytes.data(), static_cast<std::size_t>(count));
      const auto end = request.find("\r\n\r\n");
      if (end == request.npos) continue;
      auto at = request.find("ontent-");  // proxies write the header's name in lower case
      while (at < end && request.compare(at + 8, 6, "ength:") != 0) at = request.find("ontent-", at + 1);
      const auto body = at < end ? std::strtoul(request.c_str() + at + 14, nullptr, 10) : 0;
      if (request.size() - end - 4 < body) continue;
      const auto begin = request.find(' ') + 1;
      return request.substr(begin, request.find(' ', begin) - begin);
    }
  }

  static const Recorded* find(const std::vector<Recorded>& answers, std::string_view path, std::size_t turn) {
    const auto count = std::ranges::count(answers, path, &Recorded::path);
    auto left = count == 0 ? 0 : turn % static_cast<std::size_t>(count);
    for (const auto& answer : answers) {
      if (answer.path == path && left-- == 0) return &answer;
    }
    return nullptr;
  }

  static bool play(int socket, const Recorded& answer) {
    auto due = std::chrono::steady_clock::now();
    for (const auto& piece : answer.pieces) {
      if (answer.apart.count() > 0) std::this_thread::sleep_until(due += answer.apart);
      if (!send_all(socket, piece)) return false;
    }
    return true;
  }

  [[noreturn]] static void serve(int listener, const std::vector<Recorded>& answers) {
    std::atomic<int> connections{0};
    for (;;) {
      const int socket = ::accept(listener, nullptr, nullptr);
      if (socket < 0) continue;
      ++connections;
      std::thread([&, socket] {
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::size_t turn = 0;
        for (auto path = next_path(socket); !path.empty(); path = next_path(socket)) {
          const auto* const answer = find(answers, path, turn++);
          const bool sent = answer != nullptr
                                ? play(socket, *answer)
                                : send_all(socket, whole_answer(std::to_string(connections.load())));
          if (!sent) break;
        }
        ::close(socket);
      }).detach();
    }
  }
};

}  // namespace inferwire_bench
