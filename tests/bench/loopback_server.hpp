/// \file
/// What the benchmarks' servers share.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace inferwire_bench {

/// A process that serves on the loopback interface for as long as this object lives.
class LoopbackServer {
 public:
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::uint16_t port{};
  std::string url;

 protected:
  /// Listens at once. `serve(listener)` runs in the other process and does not return. It forks, so it has to
  /// be made before any thread. `flags` are those of the listening socket.
  template <class Serve>
  LoopbackServer(int flags, Serve serve) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | flags, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    constexpr int backlog = 4096;
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(listener, backlog) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      std::perror("no server");
      std::exit(1);
    }
    port = ntohs(address.sin_port);
    url = "http://127.0.0.1:" + std::to_string(port);
    process_ = ::fork();
    if (process_ == 0) serve(listener);
    ::close(listener);
  }
  ~LoopbackServer() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_{};
};

/// A part of a body that is sent with Transfer-Encoding: chunked.
inline std::string http_chunk(std::string_view bytes) {
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

}  // namespace inferwire_bench
