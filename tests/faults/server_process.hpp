/// \file
/// A mock server in a separate process, for tests that measure their own process's resources.
#pragma once

#include "inferwire/testing/mock_server.hpp"

#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <csignal>
#include <cstdint>
#include <string>
#include <utility>

namespace inferwire_test {

/// A process with a MockServer. It forks, so it must be created while the process has only one thread.
/// `handler` is that of MockServer::set_handler.
class ServerProcess {
 public:
  template <class Handler>
  explicit ServerProcess(Handler handler, inferwire::testing::MockServerOptions options = {})
      : scheme_(options.certificate ? "https" : "http") {
    int port[2];
    if (::pipe(port) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::close(port[0]);
      serve(std::move(handler), std::move(options), port[1]);
    }
    ::close(port[1]);
    if (::read(port[0], &port_, sizeof port_) != sizeof port_) port_ = 0;
    ::close(port[0]);
  }
  ~ServerProcess() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  bool works() const noexcept { return port_ != 0; }
  std::string url() const { return scheme_ + "://127.0.0.1:" + std::to_string(port_); }

 private:
  template <class Handler>
  [[noreturn]] static void serve(Handler handler, inferwire::testing::MockServerOptions options, int out) {
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no server behind
#endif
    inferwire::testing::MockServer server(std::move(options));
    server.set_handler(std::move(handler));
    const auto port = server.port();
    if (::write(out, &port, sizeof port) != sizeof port) ::_exit(1);
    for (;;) ::pause();
  }

  std::string scheme_;
  pid_t process_{-1};
  std::uint16_t port_{};
};

}  // namespace inferwire_test
