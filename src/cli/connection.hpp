/// \file
/// Whom a command asks: the options that all commands of the client share.
#pragma once

#include <optional>
#include <string>

#include "inferwire/client.hpp"
#include "inferwire/engine/engine.hpp"

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

struct Connection {
  std::string provider{"openai"};  ///< a key of the table of providers
  std::string base_url{};          ///< empty: the provider's environment variable, then the embedded engine
  std::string model{};             ///< empty: the embedded engine's; required elsewhere

  /// Adds --provider and --base-url to a command, and the footer that tells of keys and exit codes; they land
  /// in this object, which has to outlive the parsing.
  void declare(CLI::App& command);
  /// Adds --model.
  void declare_model(CLI::App& command);

  /// The model to ask: the one that was named, or the embedded engine's for `task`. Nothing, and a complaint,
  /// when there is none to choose.
  std::optional<std::string> model_for(engine::EndpointTask task) const;
  Client client() const;
};

}  // namespace inferwire::inline v0_1::cli
