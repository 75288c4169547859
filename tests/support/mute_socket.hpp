/// \file
/// An address that neither accepts nor refuses connections.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace inferwire_test {

/// Listens, but accepts no connection. It fills its queue with its own connections.
class MuteSocket {
 public:
  MuteSocket(const char* address, std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    ::inet_pton(AF_INET, address, &place.sin_addr);
    const auto* const to = reinterpret_cast<const sockaddr*>(&place);
    if (::bind(listener_, to, sizeof place) != 0 || ::listen(listener_, 0) != 0) {
      throw std::runtime_error("cannot listen");
    }
    for (int& one : waiting_) {
      one = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      ::connect(one, to, sizeof place);
    }
  }
  ~MuteSocket() {
    for (const int one : waiting_) ::close(one);
    ::close(listener_);
  }
  MuteSocket(const MuteSocket&) = delete;
  MuteSocket& operator=(const MuteSocket&) = delete;

 private:
  int listener_{::socket(AF_INET, SOCK_STREAM, 0)};
  std::array<int, 8> waiting_{};
};

}  // namespace inferwire_test
