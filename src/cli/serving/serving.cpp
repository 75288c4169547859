#include "cli/serving/serving.hpp"

#include "cli/checks.hpp"
#include "cli/our_words.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/server/http_server.hpp"

#include <CLI/CLI.hpp>
#include <signal.h>

#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// Waits for SIGINT or SIGTERM. They are blocked from construction, also in threads started later, so that
/// none is lost and no handler runs.
class EndSignal {
 public:
  EndSignal() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  void wait() const {
    int signal = 0;
    while (sigwait(&signals_, &signal) != 0) {}
  }

 private:
  sigset_t signals_;
};

}  // namespace

void Address::declare(CLI::App& command) {
  command.add_option("--host", host, "Address to listen on; there is no TLS, so stay on loopback")
      ->check(&not_empty)
      ->capture_default_str();
  command.add_option("--port", port, "Port to listen on; 0: any free one")
      ->check(&decimal<int>)
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command
      .add_option("--threads", threads,
                  "Maximum number of open connections; further ones wait until one is closed")
      ->check(&decimal<int>)
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      .add_option("--allow-host", allowed_hosts,
                  "Answer requests to this host name too, on loopback; can be repeated")
      ->type_name("NAME")
      ->check(&not_empty)
      ->allow_extra_args(false);
  command.add_flag("--json", json, "Print the address as JSON");
}

ExitCode serve_until_signal(std::shared_ptr<engine::Service> service, const Address& address) {
  const EndSignal end;
  auto server = server::HttpServer::start(std::move(service), {.host = address.host,
                                                               .port = address.port,
                                                               .threads = address.threads,
                                                               .allowed_hosts = address.allowed_hosts});
  if (!server) return fail(server.error());
  const auto url = server->base_url();
  if (!print(address.json ? R"({"listening_on":")" + url + "\"}\n" : "listening on " + url + "\n"))
    return output_lost();
  end.wait();
  server->stop();
  return success;
}

}  // namespace inferwire::inline v0_1::cli
