#include "http/sockets.hpp"

#include "http/curl_handle.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#if !defined(_WIN32)
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace inferwire::inline v0_1::http {

#if defined(_WIN32)

// Unsupported there: libcurl makes its own sockets.
void Sockets::serve(CurlHandle&, Attempts&) noexcept {}
void Sockets::drop() noexcept {}
bool Sockets::hold_bytes(int) noexcept { return false; }
void Sockets::note_http1(int) noexcept {}
bool Sockets::carry_http1(int) noexcept { return false; }
bool Sockets::made_since(int, std::chrono::steady_clock::time_point) noexcept { return false; }
void Sockets::limit_unacknowledged(int, std::chrono::seconds) noexcept {}

#else

namespace {

/// Makes a socket that child processes do not inherit: it would stay open in them, and could be read.
curl_socket_t make_socket(const curl_sockaddr& to) noexcept {
#if defined(SOCK_CLOEXEC)
  return ::socket(to.family, to.socktype | SOCK_CLOEXEC, to.protocol);
#else
  const auto made = ::socket(to.family, to.socktype, to.protocol);
  if (made != CURL_SOCKET_BAD) ::fcntl(made, F_SETFD, FD_CLOEXEC);
  return made;
#endif
}

/// 0: there is no port, or none yet.
int local_port_of(curl_socket_t socket) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

#if defined(TCP_USER_TIMEOUT)
constexpr int unacknowledged_option = TCP_USER_TIMEOUT;
using UnacknowledgedUnit = std::chrono::milliseconds;
#elif defined(TCP_RXT_CONNDROPTIME)  // macOS
constexpr int unacknowledged_option = TCP_RXT_CONNDROPTIME;
using UnacknowledgedUnit = std::chrono::seconds;
#endif

}  // namespace

void Sockets::serve(CurlHandle& handle, Attempts& attempts) noexcept {
  handle.set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(&attempts));
  handle.set(CURLOPT_CLOSESOCKETDATA, static_cast<void*>(&attempts.sockets));
  handle.set(CURLOPT_OPENSOCKETFUNCTION, &Sockets::open);
  handle.set(CURLOPT_CLOSESOCKETFUNCTION, &Sockets::close);
}

void Sockets::drop() noexcept {
  for (const auto& one : all_) ::close(one.socket);
  all_.clear();
}

bool Sockets::hold_bytes(int local_port) noexcept {
  if (local_port == 0 && all_.size() > 1)
    return false;  // several Unix sockets, which have no port to tell them apart
  for (auto& one : all_) {
    char byte{};
    if (is_at(one, local_port) && ::recv(one.socket, &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) > 0)
      return true;
  }
  return false;
}

void Sockets::note_http1(int local_port) noexcept {
  for (auto& one : all_) {
    if (is_at(one, local_port)) one.carries_http1 = true;
  }
}

bool Sockets::carry_http1(int local_port) noexcept {
  return std::ranges::any_of(all_, [&](Socket& one) { return one.carries_http1 && is_at(one, local_port); });
}

bool Sockets::made_since(int local_port, std::chrono::steady_clock::time_point time) noexcept {
  if (local_port == 0) return false;  // a Unix socket
  return std::ranges::any_of(all_, [&](Socket& one) { return one.made >= time && is_at(one, local_port); });
}

void Sockets::limit_unacknowledged([[maybe_unused]] int local_port,
                                   [[maybe_unused]] std::chrono::seconds limit) noexcept {
#if defined(TCP_USER_TIMEOUT) || defined(TCP_RXT_CONNDROPTIME)
  if (local_port == 0) return;  // a Unix socket
  const auto value = static_cast<int>(UnacknowledgedUnit(limit).count());
  for (auto& one : all_) {
    if (!is_at(one, local_port) || std::exchange(one.unacknowledged, limit) == limit) continue;
    ::setsockopt(one.socket, IPPROTO_TCP, unacknowledged_option, &value, sizeof value);
  }
#endif
}

bool Sockets::is_at(Socket& socket, int local_port) noexcept {
  if (socket.local_port == 0) socket.local_port = local_port_of(socket.socket);
  return socket.local_port == local_port;
}

curl_socket_t Sockets::open(void* attempts, curlsocktype, curl_sockaddr* to) noexcept {
  auto& [sockets, problem] = *static_cast<Attempts*>(attempts);
  const auto made = make_socket(*to);
  problem = made == CURL_SOCKET_BAD ? errno : 0;
  if (made == CURL_SOCKET_BAD) return made;
  try {
    sockets.all_.push_back({.socket = made, .made = std::chrono::steady_clock::now()});
  } catch (...) {  // no memory
    ::close(made);
    return CURL_SOCKET_BAD;
  }
  return made;
}

int Sockets::close(void* self, curl_socket_t socket) noexcept {
  std::erase_if(static_cast<Sockets*>(self)->all_,
                [socket](const Socket& one) { return one.socket == socket; });
  return ::close(socket);
}

#endif

}  // namespace inferwire::inline v0_1::http
