#include "testing/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace inferwire::inline v0_1::testing {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

[[noreturn]] void refuse(const char* what) {
  throw std::system_error(std::make_error_code(std::errc::invalid_argument), what);
}

void set_non_blocking(int descriptor) noexcept {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

template <class Address>
Socket listen_at(const Address& where) {
  const auto& address = reinterpret_cast<const sockaddr&>(where);
  Socket listener(::socket(address.sa_family, SOCK_STREAM, 0));
  if (!listener.is_open()) fail("socket");
  if (::bind(listener.descriptor(), &address, sizeof where) != 0) fail("bind");
  if (::listen(listener.descriptor(), 512) != 0) fail("listen");
  set_non_blocking(listener.descriptor());
  return listener;
}

std::ptrdiff_t outcome(ssize_t done) noexcept {
  if (done >= 0) return done;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? -1 : -2;
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
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

void Socket::reset() noexcept {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
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
  return outcome(::recv(descriptor_, bytes, size, 0));
}

std::ptrdiff_t Socket::send(std::string_view bytes) noexcept {
#if defined(MSG_NOSIGNAL)
  constexpr int flags = MSG_NOSIGNAL;
#else
  constexpr int flags = 0;  // SO_NOSIGPIPE was set
#endif
  return outcome(::send(descriptor_, bytes.data(), bytes.size(), flags));
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
  Socket connection(::accept(listener.descriptor(), nullptr, nullptr));
  crowded =
      !connection.is_open() && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
  if (!connection.is_open()) return connection;
  set_non_blocking(connection.descriptor());
  const int on = 1;
  ::setsockopt(connection.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#if defined(SO_NOSIGPIPE)
  ::setsockopt(connection.descriptor(), SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return connection;
}

std::pair<Socket, Socket> make_pipe() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  set_non_blocking(ends[0]);
  set_non_blocking(ends[1]);
  return {Socket(ends[0]), Socket(ends[1])};
}

}  // namespace inferwire::inline v0_1::testing
