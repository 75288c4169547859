/// \file
/// Shared by the commands that serve.
#pragma once

#include "cli/exit_code.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

/// The address to listen on.
struct Address {
  std::string host{"127.0.0.1"};
  int port{0};
  int threads{64};
  std::vector<std::string> allowed_hosts{};
  bool json{false};  ///< print the address as JSON

  void declare(CLI::App& command);
};

/// Blocks SIGINT and SIGTERM, also in threads started later, prints the address and serves until one of them
/// arrives.
ExitCode serve_until_signal(std::shared_ptr<engine::Service> service, const Address& address);

}  // namespace inferwire::inline v0_1::cli
