/// \file
/// The few POSIX sockets that the mock server needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::testing {

/// Owns a file descriptor.
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
  /// How many of the bytes sent the peer's side has not taken, as far as the system tells; 0 where it does
  /// not.
  std::size_t untaken() const noexcept;

  /// Bytes read; 0 at the peer's end, -1 when there is nothing at the time, -2 when the connection broke.
  std::ptrdiff_t receive(char* bytes, std::size_t size) noexcept;
  /// Bytes sent; -1 when the peer takes none at the time, -2 when the connection broke.
  std::ptrdiff_t send(std::string_view bytes) noexcept;

 private:
  int descriptor_{-1};
};

/// Listens on a port of a loopback address, without blocking. Throws std::system_error.
Socket listen_on(const std::string& address);
/// Listens on a Unix socket of this path, without blocking. Throws std::system_error.
Socket listen_on_path(const std::string& path);
/// 0 for a Unix socket.
std::uint16_t port_of(const Socket& listener);
/// The next connection, without blocking; a closed socket when there is none, or no descriptor for it:
/// `crowded`.
Socket accept_from(const Socket& listener, bool& crowded) noexcept;
/// Two ends that wake a poll. Throws std::system_error.
std::pair<Socket, Socket> make_pipe();

}  // namespace inferwire::inline v0_1::testing
