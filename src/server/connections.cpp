#include "server/connections.hpp"

#if defined(_WIN32)

namespace inferwire::inline v0_1::server {

// On Windows the server's own timeouts end idle connections.
void widen_backlog(int) noexcept {}
void shut_down_accepted(int) noexcept {}

}  // namespace inferwire::inline v0_1::server

#else

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

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

}  // namespace

void widen_backlog(int listening_socket) noexcept { ::listen(listening_socket, SOMAXCONN); }

void shut_down_accepted(int port) noexcept {
  rlimit limit{};
  constexpr rlim_t most = 1 << 16;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > most) limit.rlim_cur = most;
  for (int socket = 0; static_cast<rlim_t>(socket) < limit.rlim_cur; ++socket) {
    if (!accepted_on(socket, port)) continue;
    // A thread may close the socket just now and its number may be given anew: what is checked and shut down
    // is therefore a duplicate, which stays what it is.
    const int duplicate = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) continue;
    if (accepted_on(duplicate, port)) ::shutdown(duplicate, SHUT_RDWR);
    ::close(duplicate);
  }
}

}  // namespace inferwire::inline v0_1::server

#endif
