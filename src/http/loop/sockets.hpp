/// \file
/// The sockets of a reactor's connections.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <vector>

namespace inferwire::inline v0_1::http {

/// Makes and closes sockets for libcurl, and knows them. Outlives the connections; used by one thread at a
/// time.
class Sockets {
 public:
  Sockets() = default;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  /// Has a handle make its connections by these; to be called once for each. What libcurl thinks of it.
  CURLcode serve(CURL* easy) noexcept;

  /// Closes them in this process alone, and no connection.
  void drop() noexcept;

  /// Whether bytes wait in one with this local port.
  bool hold_bytes(int local_port) noexcept;

  /// Whether one with this local port was made at that time or later.
  bool made_since(int local_port, std::chrono::steady_clock::time_point time) noexcept;

  /// Why there was no socket for the last connection, as errno has it; 0: there was one.
  int problem() const noexcept { return problem_; }

  /// Has the system give up the connection with this local port once its peer has acknowledged nothing of
  /// what it was sent for so long, a week at most; where the system has such a limit.
  void limit_unacknowledged(int local_port, std::chrono::seconds limit) noexcept;

 private:
  struct Socket {
    curl_socket_t socket{};
    std::chrono::steady_clock::time_point made{};
    int local_port{};                       ///< 0: not looked up yet
    std::chrono::seconds unacknowledged{};  ///< its limit; 0: none yet
  };

  static bool is_at(Socket& socket, int local_port) noexcept;
  static curl_socket_t open(void* self, curlsocktype, curl_sockaddr* to) noexcept;
  static int close(void* self, curl_socket_t socket) noexcept;

  std::vector<Socket> all_;
  int problem_{};
};

}  // namespace inferwire::inline v0_1::http
