/// \file
/// A port of this machine that listens and does nothing else.
#pragma once

#include "support/catch.hpp"
#include "support/sockets.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

class QuietListener {
 public:
  /// Listens at `host`, an address, on `port` or, if that is 0, on any free port.
  explicit QuietListener(int backlog = 5, std::string host = "127.0.0.1", std::uint16_t port = 0)
      : fd_(sockets::make()), host_(std::move(host)) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    REQUIRE(::inet_pton(AF_INET, host_.c_str(), &address_.sin_addr) == 1);
    socklen_t size = sizeof address_;
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&address_), size) == 0);
    REQUIRE(::listen(fd_, backlog) == 0);
    REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &size) == 0);
  }
  ~QuietListener() {
    for (const int fd : filling_) sockets::close(fd);
    sockets::close(fd_);
  }
  QuietListener(const QuietListener&) = delete;
  QuietListener& operator=(const QuietListener&) = delete;

  int port() const { return ntohs(address_.sin_port); }
  /// The address as "127.0.0.1:PORT".
  std::string place() const { return host_ + ":" + std::to_string(port()); }
  /// A descriptor of the next connection, which the caller has to close.
  int accept() const { return sockets::accept(fd_); }

  /// Ends `accept` on another thread, which then returns -1.
  void stop() const { ::shutdown(fd_, sockets::both_ways); }

  /// Fills the queue, so that no one else can connect.
  void fill() {
    for (;;) {
      const int fd = sockets::make();
      sockets::set_non_blocking(fd);
      filling_.push_back(fd);
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address_), sizeof address_);
      if (!sockets::wait_for(fd, 200, POLLOUT)) return;
    }
  }

 private:
  int fd_;
  std::string host_;
  sockaddr_in address_{};
  std::vector<int> filling_;
};

}  // namespace inferwire_test
