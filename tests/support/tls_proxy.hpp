/// \file
/// nghttpx in front of a server on this machine: TLS, and HTTP/2 for clients that request it.
#pragma once

#include "inferwire/testing/certificate.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace inferwire_test {

class TlsProxy {
 public:
  /// The path of nghttpx; empty if this machine does not have it.
  static std::string program() {
    for (const char* const path : {"/usr/sbin/nghttpx", "/usr/bin/nghttpx", "/usr/local/bin/nghttpx"}) {
      if (::access(path, X_OK) == 0) return path;
    }
    return {};
  }

  /// A proxy for `port` of 127.0.0.1. Allows `most_streams` at a time per connection.
  explicit TlsProxy(std::uint16_t port, int most_streams = 1000) {
    const auto made = inferwire::testing::make_certificate({.hosts = {"127.0.0.1"}});
    if (!made) return;
    certificate = made->pem;
    port_ = hold_port();
    std::ofstream(key_file_) << made->key_pem;
    std::ofstream(certificate_file_) << made->pem;
    const std::array<std::string, 11> words{
        program(),
        "--conf=/dev/null",
        "--backend=127.0.0.1," + std::to_string(port),
        "--frontend=127.0.0.1," + std::to_string(port_),
        "--frontend-http2-max-concurrent-streams=" + std::to_string(most_streams),
        "--workers=1",
        "--log-level=FATAL",
        "--errorlog-file=/dev/null",
        "--backend-read-timeout=10m",
        key_file_,
        certificate_file_};
    std::array<char*, words.size() + 1> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = const_cast<char*>(words[i].c_str());
    posix_spawn_file_actions_t quietly;
    ::posix_spawn_file_actions_init(&quietly);
    ::posix_spawn_file_actions_addopen(&quietly, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (::posix_spawn(&process_, words[0].c_str(), &quietly, nullptr, arguments.data(), environ) != 0) {
      process_ = -1;
    }
    ::posix_spawn_file_actions_destroy(&quietly);
    works_ = process_ > 0 && wait_until_it_listens();
    ::close(std::exchange(holder_, -1));
  }
  ~TlsProxy() {
    if (process_ > 0) {
      ::kill(process_, SIGTERM);
      ::waitpid(process_, nullptr, 0);
    }
    std::remove(key_file_.c_str());
    std::remove(certificate_file_.c_str());
    ::rmdir(directory_.c_str());
  }
  TlsProxy(const TlsProxy&) = delete;
  TlsProxy& operator=(const TlsProxy&) = delete;

  bool works() const noexcept { return works_; }
  std::uint16_t port() const noexcept { return port_; }
  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

  std::string certificate;  ///< PEM, for clients to trust

 private:
  static sockaddr_in address_of(std::uint16_t port) noexcept {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  /// A free port, since nghttpx needs a given one. `holder_` is bound to it and does not listen: nghttpx,
  /// which sets SO_REUSEADDR too, may listen there, and the system gives the port to nobody else.
  std::uint16_t hold_port() {
    holder_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(holder_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    auto address = address_of(0);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool bound = ::bind(holder_, any, size) == 0 && ::getsockname(holder_, any, &size) == 0;
    return bound ? ntohs(address.sin_port) : std::uint16_t{0};
  }
  static std::string temporary_directory() {
    std::string name = "/tmp/inferwire-proxy-XXXXXX";
    return ::mkdtemp(name.data()) == nullptr ? std::string() : name;
  }
  bool wait_until_it_listens() const {
    const auto address = address_of(port_);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < limit) {
      const int one = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const bool there = ::connect(one, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
      ::close(one);
      if (there) return true;
      if (::waitpid(process_, nullptr, WNOHANG) != 0) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  // nghttpx reads these files after it has begun to listen.
  std::string directory_ = temporary_directory();
  std::string key_file_ = directory_ + "/key";
  std::string certificate_file_ = directory_ + "/certificate";
  int holder_{-1};
  std::uint16_t port_{};
  pid_t process_{-1};
  bool works_{};
};

}  // namespace inferwire_test
