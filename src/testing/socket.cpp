#include "testing/socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace inferwire::inline v0_1::testing {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void set_non_blocking(int descriptor) noexcept {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
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

Socket listen_on_loopback() {
  Socket listener(::socket(AF_INET, SOCK_STREAM, 0));
  if (!listener.is_open()) fail("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("bind");
  if (::listen(listener.descriptor(), 512) != 0) fail("listen");
  set_non_blocking(listener.descriptor());
  return listener;
}

std::uint16_t port_of(const Socket& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("getsockname");
  return ntohs(address.sin_port);
}

Socket accept_from(const Socket& listener) noexcept {
  Socket connection(::accept(listener.descriptor(), nullptr, nullptr));
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
