#include "cli/serve_command.hpp"

#include "cli/output.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/server/http_server.hpp"

#include <CLI/CLI.hpp>

#include <signal.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

constexpr const char* default_variable = "INFERWIRE_API_KEY";

/// Waits for SIGINT or SIGTERM. They are blocked from the construction on, in threads started afterwards too,
/// so that none is lost and no handler runs.
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

CLI::App* ServeArguments::declare(CLI::App& program) {
  auto* command =
      program.add_subcommand("serve", "Serve the bundled engine over HTTP until SIGINT or SIGTERM");
  command->add_option("--host", host, "Address to listen on; there is no TLS, so stay on loopback")
      ->capture_default_str();
  command->add_option("--port", port, "Port to listen on; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option(
      "--api-key-env", api_key_variable,
      "Environment variable with the key that requests need; without it INFERWIRE_API_KEY, if set");
  command->add_option("--seed", seed, "Seed of requests that bring none")->capture_default_str();
  command
      ->add_option("--first-token-ms", first_token_ms, "Wait before an answer's first token, in milliseconds")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--token-ms", token_ms, "Wait before every further token, in milliseconds")
      ->check(CLI::NonNegativeNumber);
  return command;
}

ExitCode run(const ServeArguments& arguments) {
  const bool named = !arguments.api_key_variable.empty();
  const char* key = std::getenv(named ? arguments.api_key_variable.c_str() : default_variable);
  const bool has_key = key != nullptr && *key != '\0';
  if (named && !has_key) {
    complain("the environment variable " + arguments.api_key_variable + " is not set");
    return usage_error;
  }

  const EndSignal end;
  auto engine = std::make_shared<engine::Engine>(
      engine::EngineOptions{.api_key = has_key ? std::optional(Secret(key)) : std::nullopt,
                            .seed = arguments.seed,
                            .pacing = {.first_token = Duration(arguments.first_token_ms),
                                       .per_token = Duration(arguments.token_ms)}});
  auto server =
      server::HttpServer::start(std::move(engine), {.host = arguments.host, .port = arguments.port});
  if (!server) {
    complain(server.error().message());
    return exit_code(server.error());
  }
  if (!print("listening on " + server->base_url() + "\n")) return reader_left;
  end.wait();
  server->stop();
  return success;
}

}  // namespace inferwire::inline v0_1::cli
