/// \file
/// The accepted connections of a listening port, which cpp-httplib keeps to itself.
#pragma once

#include <array>

namespace inferwire::inline v0_1::server {

/// One end of a socket. The address is IPv6 or IPv4-mapped IPv6; all zeros: every address of the host.
struct SocketAddress {
  std::array<unsigned char, 16> host{};
  int port{-1};  ///< -1: no such end

  friend bool operator==(const SocketAddress&, const SocketAddress&) = default;
};

/// The address that a socket is bound to.
SocketAddress address_of(int listening_socket) noexcept;

/// The number of the error of this thread's last socket function that failed; 0: none since
/// `forget_socket_error`.
int last_socket_error() noexcept;
void forget_socket_error() noexcept;

/// Raises the backlog above cpp-httplib's 5 pending connections: beyond it a connect takes a second.
void widen_backlog(int listening_socket) noexcept;

/// Shuts down every connection of this process that was accepted at `listening`, so that threads which read
/// from or write to one return at once. cpp-httplib 0.11 would let an idle keep-alive connection hold its
/// thread, and a reader that has stopped reading hold it as well, until a timeout.
void shut_down_accepted(const SocketAddress& listening) noexcept;

/// One accepted connection while it is being answered: cpp-httplib notices that a client has gone only when
/// writing to it, and later versions read a refused body to its end before they close.
class ClientConnection {
 public:
  /// The one that was accepted at `listening` from `client_port`. Empty if there is none, or
  /// if two clients on different hosts have the same port.
  ClientConnection(const SocketAddress& listening, int client_port) noexcept;
  ~ClientConnection();
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  /// Whether the client has closed the connection, or its half of it.
  bool has_gone() const noexcept;
  /// Sends pending output, discards unread input, and resets the connection if the client goes on sending.
  void shut_down() const noexcept;

 private:
  int socket_{-1};  // a duplicate: keeps referring to the same socket
};

}  // namespace inferwire::inline v0_1::server
