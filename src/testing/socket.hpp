/// \file
/// The socket functions that the mock server needs, of POSIX or Windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::testing {

/// Owns a socket. Windows's numbers of sockets are small enough for an `int`, too.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) noexcept : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&& other) noexcept;
  ~Socket() { close(); }

  int descriptor() const noexcept { return descriptor_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }

  void close() noexcept;
  /// Closes with RST instead of FIN.
  void reset() noexcept;
  /// The number of sent bytes that the peer's system has not acknowledged; 0 if the system does not tell.
  std::size_t untaken() const noexcept;

  /// Returns the number of bytes read; 0 at the peer's end, -1 if there are none at present, -2 if the
  /// connection broke.
  std::ptrdiff_t receive(char* bytes, std::size_t size) noexcept;
  /// Returns the number of bytes sent; -1 if the peer accepts none at present, -2 if the connection broke.
  std::ptrdiff_t send(std::string_view bytes) noexcept;

 private:
  int descriptor_{-1};
};

/// Listens on a port of a loopback address, non-blocking. Throws std::system_error.
Socket listen_on(const std::string& address);
/// Listens on a Unix socket of this path, non-blocking. Throws std::system_error.
Socket listen_on_path(const std::string& path);
/// The port, or 0 for a Unix socket.
std::uint16_t port_of(const Socket& listener);
/// Accepts a connection, without blocking; returns a closed socket if there is none, or if no descriptor is
/// left for it: then `crowded` is set.
Socket accept_from(const Socket& listener, bool& crowded) noexcept;
/// A pair of connected ends to wake `wait_for`. Throws std::system_error.
std::pair<Socket, Socket> make_pipe();

/// A socket, and what it is waited for.
struct Watch {
  int descriptor;
  bool read;
  bool write;
};
/// Waits until one of them can be read or written, or was closed; for `milliseconds` at most, -1: no limit.
void wait_for(std::span<const Watch> watched, int milliseconds);

}  // namespace inferwire::inline v0_1::testing
