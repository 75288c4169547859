/// \file
/// The sockets of a reactor's connections.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <vector>

namespace inferwire::inline v0_1::http {

class CurlHandle;

/// Makes and closes sockets for libcurl, and keeps track of them. Must outlive the connections; used by one
/// thread at a time.
class Sockets {
 public:
  Sockets() = default;
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  /// A handle's attempts to make sockets.
  struct Attempts {
    Sockets& sockets;
    int problem{};  ///< the errno of the last one; 0: it succeeded
  };

  /// Makes a handle use the sockets of `attempts`, which must outlive it; called once per handle.
  static void serve(CurlHandle& handle, Attempts& attempts) noexcept;

  /// Closes the sockets in this process only, without ending their connections.
  void drop() noexcept;

  /// Whether unread bytes are waiting in the socket with this local port.
  bool hold_bytes(int local_port) noexcept;

  /// Notes that the socket with this local port has carried an answer of HTTP/1, and so carries no other.
  void note_http1(int local_port) noexcept;
  /// Whether that was noted.
  bool carry_http1(int local_port) noexcept;

  /// Whether the socket with this local port was made at `time` or later.
  bool made_since(int local_port, std::chrono::steady_clock::time_point time) noexcept;

  /// Makes the system give up the connection with this local port if its peer has acknowledged nothing that
  /// was sent for this long, a week at most. No effect on systems without such a limit.
  void limit_unacknowledged(int local_port, std::chrono::seconds limit) noexcept;

 private:
  struct Socket {
    curl_socket_t socket{};
    std::chrono::steady_clock::time_point made{};
    int local_port{};                       ///< 0: not looked up yet
    std::chrono::seconds unacknowledged{};  ///< its limit; 0: none set
    bool carries_http1{};
  };

  static bool is_at(Socket& socket, int local_port) noexcept;
  static curl_socket_t open(void* attempts, curlsocktype, curl_sockaddr* to) noexcept;
  static int close(void* self, curl_socket_t socket) noexcept;

  std::vector<Socket> all_;
};

}  // namespace inferwire::inline v0_1::http
