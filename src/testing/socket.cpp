#include "testing/socket.hpp"

#if defined(_WIN32)
#include <winsock2.h>
// Behind the first.
#include <afunix.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#endif

#include <algorithm>
#include <array>
#include <system_error>
#include <vector>

namespace inferwire::inline v0_1::testing {

namespace {

#if defined(_WIN32)

int last_error() noexcept { return WSAGetLastError(); }
bool is_for_later(int error) noexcept { return error == WSAEWOULDBLOCK; }
bool is_lack(int error) noexcept { return error == WSAEMFILE || error == WSAENOBUFS; }
void close_socket(int descriptor) noexcept { ::closesocket(descriptor); }
int make_socket(int family) noexcept {
  static const int started = [] {
    WSADATA data{};
    return WSAStartup(MAKEWORD(2, 2), &data);
  }();
  return started == 0 ? static_cast<int>(::socket(family, SOCK_STREAM, 0)) : -1;
}
void set_non_blocking(int descriptor) noexcept {
  u_long on = 1;
  ::ioctlsocket(descriptor, FIONBIO, &on);
}
int length(std::size_t size) noexcept { return static_cast<int>(std::min<std::size_t>(size, 1u << 30)); }
void poll(std::vector<pollfd>& sockets, int milliseconds) noexcept {
  WSAPoll(sockets.data(), static_cast<ULONG>(sockets.size()), milliseconds);
}

#else

int last_error() noexcept { return errno; }
bool is_for_later(int error) noexcept { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }
bool is_lack(int error) noexcept {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}
void close_socket(int descriptor) noexcept { ::close(descriptor); }
int make_socket(int family) noexcept { return ::socket(family, SOCK_STREAM, 0); }
void set_non_blocking(int descriptor) noexcept {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}
std::size_t length(std::size_t size) noexcept { return size; }
void poll(std::vector<pollfd>& sockets, int milliseconds) noexcept {
  ::poll(sockets.data(), static_cast<nfds_t>(sockets.size()), milliseconds);
}

#endif

[[noreturn]] void fail(const char* what) {
  throw std::system_error(last_error(), std::system_category(), what);
}

[[noreturn]] void refuse(const char* what) {
  throw std::system_error(std::make_error_code(std::errc::invalid_argument), what);
}

template <class Value>
void set_option(const Socket& socket, int level, int option, const Value& value) noexcept {
  ::setsockopt(socket.descriptor(), level, option, reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Address>
Socket listen_at(const Address& where) {
  const auto& address = reinterpret_cast<const sockaddr&>(where);
  Socket listener(make_socket(address.sa_family));
  if (!listener.is_open()) fail("socket");
  if (::bind(listener.descriptor(), &address, sizeof where) != 0) fail("bind");
  if (::listen(listener.descriptor(), 512) != 0) fail("listen");
  set_non_blocking(listener.descriptor());
  return listener;
}

std::ptrdiff_t outcome(std::ptrdiff_t done) noexcept {
  if (done >= 0) return done;
  return is_for_later(last_error()) ? -1 : -2;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

void Socket::close() noexcept {
  if (is_open()) close_socket(std::exchange(descriptor_, -1));
}

void Socket::reset() noexcept {
  set_option(*this, SOL_SOCKET, SO_LINGER, linger{.l_onoff = 1, .l_linger = 0});
  close();
}

std::size_t Socket::untaken() const noexcept {
  int bytes = 0;
#if defined(__linux__)
  ::ioctl(descriptor_, TIOCOUTQ, &bytes);  // same as SIOCOUTQ of tcp(7): bytes not acknowledged
#elif defined(SO_NWRITE)
  socklen_t size = sizeof bytes;
  ::getsockopt(descriptor_, SOL_SOCKET, SO_NWRITE, &bytes, &size);
#endif
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

std::ptrdiff_t Socket::receive(char* bytes, std::size_t size) noexcept {
  return outcome(::recv(descriptor_, bytes, length(size), 0));
}

std::ptrdiff_t Socket::send(std::string_view bytes) noexcept {
#if defined(MSG_NOSIGNAL)
  constexpr int flags = MSG_NOSIGNAL;
#else
  constexpr int flags = 0;  // SO_NOSIGPIPE was set, or there is no SIGPIPE
#endif
  return outcome(::send(descriptor_, bytes.data(), length(bytes.size()), flags));
}

Socket listen_on(const std::string& address) {
  if (address.find(':') == address.npos) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    if (::inet_pton(AF_INET, address.c_str(), &where.sin_addr) != 1) refuse("the address");
    constexpr std::uint32_t loopback = 127;
    if (ntohl(where.sin_addr.s_addr) >> 24 != loopback) refuse("an address that is not of the loopback");
    return listen_at(where);
  }
  sockaddr_in6 where{};
  where.sin6_family = AF_INET6;
  if (::inet_pton(AF_INET6, address.c_str(), &where.sin6_addr) != 1) refuse("the address");
  if (!IN6_IS_ADDR_LOOPBACK(&where.sin6_addr)) refuse("an address that is not of the loopback");
  return listen_at(where);
}

Socket listen_on_path(const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  if (path.size() >= sizeof where.sun_path) refuse("the path of the socket");
  path.copy(where.sun_path, path.size());
  return listen_at(where);
}

std::uint16_t port_of(const Socket& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("getsockname");
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

Socket accept_from(const Socket& listener, bool& crowded) noexcept {
  Socket connection(static_cast<int>(::accept(listener.descriptor(), nullptr, nullptr)));
  crowded = !connection.is_open() && is_lack(last_error());
  if (!connection.is_open()) return connection;
  set_non_blocking(connection.descriptor());
  set_option(connection, IPPROTO_TCP, TCP_NODELAY, 1);
#if defined(SO_NOSIGPIPE)
  set_option(connection, SOL_SOCKET, SO_NOSIGPIPE, 1);
#endif
  return connection;
}

#if defined(_WIN32)
std::pair<Socket, Socket> make_pipe() {
  const auto listener = listen_on("127.0.0.1");
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  where.sin_port = htons(port_of(listener));
  Socket writer(make_socket(AF_INET));
  if (::connect(writer.descriptor(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0)
    fail("connect");
  wait_for(std::array{Watch{listener.descriptor(), true, false}}, -1);
  bool crowded = false;
  auto reader = accept_from(listener, crowded);
  if (!reader.is_open()) fail("accept");
  set_non_blocking(writer.descriptor());
  return {std::move(reader), std::move(writer)};
}
#else
std::pair<Socket, Socket> make_pipe() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  set_non_blocking(ends[0]);
  set_non_blocking(ends[1]);
  return {Socket(ends[0]), Socket(ends[1])};
}
#endif

void wait_for(std::span<const Watch> watched, int milliseconds) {
  std::vector<pollfd> sockets(watched.size());
  for (std::size_t i = 0; i < watched.size(); ++i) {
    sockets[i].fd = watched[i].descriptor;
    sockets[i].events = static_cast<short>((watched[i].read ? POLLIN : 0) | (watched[i].write ? POLLOUT : 0));
  }
  poll(sockets, milliseconds);
}

}  // namespace inferwire::inline v0_1::testing
