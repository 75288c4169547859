#include "server/connections.hpp"

#if defined(_WIN32)

namespace inferwire::inline v0_1::server {

// On Windows the server's own timeouts end idle connections.
void widen_backlog(int) noexcept {}
void shut_down_accepted(int) noexcept {}
ClientWatch::ClientWatch(int, int) noexcept {}
ClientWatch::~ClientWatch() = default;
bool ClientWatch::has_gone() const noexcept { return false; }

}  // namespace inferwire::inline v0_1::server

#else

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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

}  // namespace

void widen_backlog(int listening_socket) noexcept { ::listen(listening_socket, SOMAXCONN); }

void shut_down_accepted(int port) noexcept {
  each_accepted(port, [](int duplicate) {
    ::shutdown(duplicate, SHUT_RDWR);
    return false;
  });
}

ClientWatch::ClientWatch(int port, int client_port) noexcept {
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

ClientWatch::~ClientWatch() {
  if (socket_ >= 0) ::close(socket_);
}

bool ClientWatch::has_gone() const noexcept {
  char byte = 0;
  return socket_ >= 0 && ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace inferwire::inline v0_1::server

#endif
