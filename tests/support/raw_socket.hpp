/// \file
/// A TCP client that sends and reads plain bytes, for tests of servers.
#pragma once

#include "support/sockets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire_test {

/// A connection to a loopback port. Reads give up after ten seconds, so that a test fails instead of hanging.
class RawSocket {
 public:
  explicit RawSocket(int port) : fd_(sockets::make()) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      sockets::close(fd_);
      throw std::runtime_error("cannot connect");
    }
    sockets::set_option(fd_, IPPROTO_TCP, TCP_NODELAY, 1);
  }
  /// Takes over a descriptor, such as one from `accept`.
  static RawSocket owning(int descriptor) noexcept { return RawSocket(descriptor, Owned{}); }
  RawSocket(RawSocket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  RawSocket& operator=(RawSocket&&) = delete;
  ~RawSocket() { close(); }

  int descriptor() const noexcept { return fd_; }
  void close() {
    if (fd_ >= 0) sockets::close(std::exchange(fd_, -1));
  }
  /// Sends no more; the other side reads the end.
  void end() { ::shutdown(fd_, sockets::sending); }
  /// Lets `close` send RST instead of FIN.
  void reset_at_close() {
    sockets::set_option(fd_, SOL_SOCKET, SO_LINGER, linger{.l_onoff = 1, .l_linger = 0});
  }

  /// Sends all bytes; false if the other side has closed.
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = sockets::send(fd_, bytes);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// The next bytes, at most 64 KiB; empty if the other side has closed or ten seconds have passed.
  std::string read() {
    if (!sockets::wait_for(fd_, 10'000)) return {};
    std::string bytes(1 << 16, '\0');
    const auto got = sockets::receive(fd_, bytes.data(), bytes.size());
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  /// The next `count` bytes; missing ones are zeros.
  std::string read_exactly(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
      if (!sockets::wait_for(fd_, 10'000)) break;
      const auto got = sockets::receive(fd_, bytes.data() + have, count - have);
      if (got <= 0) break;
      have += static_cast<std::size_t>(got);
    }
    return bytes;
  }
  /// Everything up to and including `end`, or less if the other side closes earlier.
  std::string read_until(std::string_view end) {
    std::string all;
    for (std::size_t searched = 0; all.find(end, searched) == all.npos;) {
      searched = all.size() - std::min(all.size(), end.size());
      const auto more = read();
      if (more.empty()) break;
      all += more;
    }
    return all;
  }
  /// Everything until the other side closes.
  std::string read_all() { return read_until(std::string_view("\0no such bytes\0", 15)); }

 private:
  struct Owned {};
  RawSocket(int descriptor, Owned) noexcept : fd_(descriptor) {}

  int fd_;
};

}  // namespace inferwire_test
