/// \file
/// TCP sockets by the same names on POSIX and on Windows, whose numbers of sockets are small enough for an
/// `int`.
#pragma once

#if defined(_WIN32)
#include <winsock2.h>
// Behind the first.
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#endif

#include <cstddef>
#include <string_view>

namespace inferwire_test::sockets {

#if defined(_WIN32)

inline constexpr int sending = SD_SEND;
inline constexpr int both_ways = SD_BOTH;
inline constexpr int address_in_use = WSAEADDRINUSE;
inline constexpr int address_not_available = WSAEADDRNOTAVAIL;
inline constexpr int no_signal = 0;  // there is no SIGPIPE

inline int make() noexcept {
  static const int started = [] {
    WSADATA data{};
    return WSAStartup(MAKEWORD(2, 2), &data);
  }();
  return started == 0 ? static_cast<int>(::socket(AF_INET, SOCK_STREAM, 0)) : -1;
}
inline int accept(int listener) noexcept { return static_cast<int>(::accept(listener, nullptr, nullptr)); }
inline void close(int socket) noexcept { ::closesocket(socket); }
inline void set_non_blocking(int socket) noexcept {
  u_long on = 1;
  ::ioctlsocket(socket, FIONBIO, &on);
}
inline int length(std::size_t size) noexcept { return static_cast<int>(size); }
inline int poll(pollfd& one, int milliseconds) noexcept { return WSAPoll(&one, 1, milliseconds); }

#else

inline constexpr int sending = SHUT_WR;
inline constexpr int both_ways = SHUT_RDWR;
inline constexpr int address_in_use = EADDRINUSE;
inline constexpr int address_not_available = EADDRNOTAVAIL;
inline constexpr int no_signal = MSG_NOSIGNAL;

inline int make() noexcept { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
inline int accept(int listener) noexcept { return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC); }
inline void close(int socket) noexcept { ::close(socket); }
inline void set_non_blocking(int socket) noexcept {
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
}
inline std::size_t length(std::size_t size) noexcept { return size; }
inline int poll(pollfd& one, int milliseconds) noexcept { return ::poll(&one, 1, milliseconds); }

#endif

/// Waits until `socket` can be read, or written if `event` is POLLOUT, or has failed; false at the time
/// limit.
inline bool wait_for(int socket, int milliseconds, short event = POLLIN) noexcept {
  pollfd one{};
  one.fd = socket;
  one.events = event;
  return poll(one, milliseconds) > 0;
}
/// Returns the number of bytes sent; negative if the other side has closed.
inline std::ptrdiff_t send(int socket, std::string_view bytes) noexcept {
  return ::send(socket, bytes.data(), length(bytes.size()), no_signal);
}
/// Returns the number of bytes read; 0 at the other side's end, negative if the connection broke.
inline std::ptrdiff_t receive(int socket, char* bytes, std::size_t size) noexcept {
  return ::recv(socket, bytes, length(size), 0);
}
template <class Value>
void set_option(int socket, int level, int option, const Value& value) noexcept {
  ::setsockopt(socket, level, option, reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace inferwire_test::sockets
