#include "server/connections.hpp"

#if defined(_WIN32)
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#endif

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::server {
namespace {

/// Calls `name_of`, which is getsockname or getpeername.
SocketAddress end_of(int socket, const auto& name_of) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  SocketAddress end;
  if (name_of(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return end;
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    end.port = ntohs(v4.sin_port);
    if (v4.sin_addr.s_addr == htonl(INADDR_ANY)) return end;
    end.host[10] = end.host[11] = 0xFF;
    std::memcpy(&end.host[12], &v4.sin_addr, sizeof v4.sin_addr);
  } else if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    end.port = ntohs(v6.sin6_port);
    std::memcpy(end.host.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
  }
  return end;
}

SocketAddress near_end_of(int socket) noexcept { return end_of(socket, ::getsockname); }

}  // namespace

SocketAddress address_of(int listening_socket) noexcept { return near_end_of(listening_socket); }

void widen_backlog(int listening_socket) noexcept { ::listen(listening_socket, SOMAXCONN); }

#if defined(_WIN32)

int last_socket_error() noexcept { return WSAGetLastError(); }
void forget_socket_error() noexcept { WSASetLastError(0); }

// The server's own timeouts end idle connections, those with a refused body, and answers to clients that have
// gone: to shut a socket down does not wake who waits for it there.
void shut_down_accepted(const SocketAddress&) noexcept {}
ClientConnection::ClientConnection(const SocketAddress&, int) noexcept {}
ClientConnection::~ClientConnection() = default;
bool ClientConnection::has_gone() const noexcept { return false; }
void ClientConnection::shut_down() const noexcept {}

#else

int last_socket_error() noexcept { return errno; }
void forget_socket_error() noexcept { errno = 0; }

namespace {

SocketAddress far_end_of(int socket) noexcept { return end_of(socket, ::getpeername); }

/// An accepted socket has the listening socket's local address; the listening socket itself has no peer.
bool accepted_at(const SocketAddress& listening, int socket) noexcept {
  const auto local = near_end_of(socket);
  const bool same_host = listening.host == SocketAddress().host || local.host == listening.host;
  return local.port == listening.port && same_host && far_end_of(socket).port >= 0;
}

#if defined(__APPLE__)
constexpr const char* descriptors = "/dev/fd";
#else
constexpr const char* descriptors = "/proc/thread-self/fd";  // on Linux, also once its first thread has ended
#endif

/// Calls `visit(number)` for every open descriptor of this process or, if no directory lists them, for every
/// possible number. The directory is closed before: its descriptor may be the last free one.
template <class Visit>
void each_descriptor(Visit visit) noexcept {
  if (DIR* const listing = ::opendir(descriptors)) {
    std::vector<int> numbers;
    while (const dirent* const entry = ::readdir(listing)) {
      const std::string_view name = entry->d_name;
      int number = -1;
      const auto end = std::from_chars(name.data(), name.data() + name.size(), number);
      if (end.ec == std::errc()) numbers.push_back(number);
    }
    ::closedir(listing);
    for (const int number : numbers) visit(number);
    return;
  }
  rlimit limit{};
  constexpr rlim_t most = 1 << 16;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > most) limit.rlim_cur = most;
  for (int number = 0; static_cast<rlim_t>(number) < limit.rlim_cur; ++number) visit(number);
}

/// Calls `visit(socket, true)` with a duplicate of every connection of this process that was accepted at
/// `listening`; it returns whether it keeps the duplicate. If no descriptor is free, it calls
/// `visit(socket, false)` with the connection itself.
///
/// Another thread may close a socket meanwhile, and its number may be reused: therefore a duplicate, which
/// keeps referring to the same socket, is checked and used. The connection itself is valid only for a use
/// that is over before its number is likely to be reused.
template <class Visit>
void each_accepted(const SocketAddress& listening, Visit visit) noexcept {
  each_descriptor([&](int socket) {
    if (!accepted_at(listening, socket)) return;
    const int duplicate = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (duplicate < 0) {
      visit(socket, false);
      return;
    }
    if (!accepted_at(listening, duplicate) || !visit(duplicate, true)) ::close(duplicate);
  });
}

/// Discards received but unread data, up to about `most` bytes; returns the number of bytes discarded.
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

void shut_down_accepted(const SocketAddress& listening) noexcept {
  // Also without a duplicate: the number was checked a moment ago, and to skip the connection would let the
  // server wait for it until a timeout.
  each_accepted(listening, [](int socket, bool) {
    ::shutdown(socket, SHUT_RDWR);
    return false;
  });
}

ClientConnection::ClientConnection(const SocketAddress& listening, int client_port) noexcept {
  bool ambiguous = false;
  each_accepted(listening, [&](int socket, bool is_duplicate) {
    if (!is_duplicate || far_end_of(socket).port != client_port) return false;
    // A duplicate may be visited as well: one is enough.
    if (socket_ < 0) {
      socket_ = socket;
      return true;
    }
    ambiguous |= far_end_of(socket) != far_end_of(socket_);
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
  // A client that is still sending sees a zero window and would wait for a minute: it gets a reset instead.
  constexpr linger reset{.l_onoff = 1, .l_linger = 0};
  if (drop_received(socket_, most_dropped) > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
}

#endif

}  // namespace inferwire::inline v0_1::server
