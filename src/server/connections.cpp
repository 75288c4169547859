#include "server/connections.hpp"

#if defined(_WIN32)

namespace inferwire::inline v0_1::server {

// On Windows the server's own timeouts end idle connections and those of refused bodies.
void widen_backlog(int) noexcept {}
void shut_down_accepted(int) noexcept {}
ClientConnection::ClientConnection(int, int) noexcept {}
ClientConnection::~ClientConnection() = default;
bool ClientConnection::has_gone() const noexcept { return false; }
void ClientConnection::shut_down() const noexcept {}

}  // namespace inferwire::inline v0_1::server

#else

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace inferwire::inline v0_1::server {
namespace {

using NameOf = int (*)(int, sockaddr*, socklen_t*);

/// The port of one end of a socket; -1 when there is none.
int port_of(int socket, NameOf name_of) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (name_of(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return -1;
}

/// A client's socket has the port at its far end, the listening one has no far end.
bool accepted_on(int socket, int port) noexcept {
  return port_of(socket, ::getsockname) == port && port_of(socket, ::getpeername) >= 0;
}

/// Whether two sockets have the same far end.
bool same_connection(int a, int b) noexcept {
  sockaddr_storage ends[2]{};
  for (int i = 0; i < 2; ++i) {
    socklen_t size = sizeof ends[i];
    if (::getpeername(i == 0 ? a : b, reinterpret_cast<sockaddr*>(&ends[i]), &size) != 0) return false;
  }
  return std::memcmp(&ends[0], &ends[1], sizeof ends[0]) == 0;
}

/// Calls `visit(duplicate)` for every connection of this process that was accepted on `port`; it returns
/// whether it keeps the duplicate.
///
/// A thread may close a socket just now and its number may be given anew: what is checked and used is
/// therefore a duplicate, which stays what it is.
template <class Visit>
void each_accepted(int port, Visit visit) noexcept {
  rlimit limit{};
  constexpr rlim_t most = 1 << 16;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > most) limit.rlim_cur = most;
  for (int socket = 0; static_cast<rlim_t>(socket) < limit.rlim_cur; ++socket) {
    if (!accepted_on(socket, port)) continue;
    const int duplicate = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) continue;
    if (!accepted_on(duplicate, port) || !visit(duplicate)) ::close(duplicate);
  }
}

/// Drops what has come and was not read, about `most` bytes of it; returns how many these were.
std::size_t drop_received(int socket, std::size_t most) noexcept {
  char piece[4096];
  std::size_t dropped = 0;
  while (dropped < most) {
    const auto got = ::recv(socket, piece, sizeof piece, MSG_DONTWAIT);
    if (got <= 0) break;
    dropped += static_cast<std::size_t>(got);
  }
  return dropped;
}

}  // namespace

void widen_backlog(int listening_socket) noexcept { ::listen(listening_socket, SOMAXCONN); }

void shut_down_accepted(int port) noexcept {
  each_accepted(port, [](int duplicate) {
    ::shutdown(duplicate, SHUT_RDWR);
    return false;
  });
}

ClientConnection::ClientConnection(int port, int client_port) noexcept {
  bool ambiguous = false;
  each_accepted(port, [&](int duplicate) {
    // Duplicates are above the sockets that they are of and are met themselves: one is enough.
    if (port_of(duplicate, ::getpeername) != client_port) return false;
    if (socket_ < 0) {
      socket_ = duplicate;
      return true;
    }
    ambiguous |= !same_connection(duplicate, socket_);
    return false;
  });
  if (ambiguous) ::close(std::exchange(socket_, -1));
}

ClientConnection::~ClientConnection() {
  if (socket_ >= 0) ::close(socket_);
}

bool ClientConnection::has_gone() const noexcept {
  char byte = 0;
  return socket_ >= 0 && ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void ClientConnection::shut_down() const noexcept {
  if (socket_ < 0) return;
  constexpr std::size_t most_dropped = 64 << 10;
  ::shutdown(socket_, SHUT_WR);
  drop_received(socket_, most_dropped);
  ::shutdown(socket_, SHUT_RD);
  // Who is still sending is told of no more room, and would wait for it for a minute: the end is a reset.
  constexpr linger reset{.l_onoff = 1, .l_linger = 0};
  if (drop_received(socket_, most_dropped) > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
}

}  // namespace inferwire::inline v0_1::server

#endif
