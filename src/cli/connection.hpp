/// \file
/// The service that a command calls: the options that all client commands share.
#pragma once

#include "inferwire/client.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

/// The resource of the client that a command uses.
enum class Resource : std::uint8_t { chat, completions, embeddings, responses };

/// The provider if neither an option nor a profile names one.
inline constexpr const char* default_provider = "openai";

struct Connection {
  std::string profile{};  ///< a name in the file of profiles; fills in what the others leave open
  std::string
      provider{};  ///< a key of the table of providers; empty until parsed: the profile's, then openai
  std::string base_url{};       ///< empty: the provider's environment variable, then its own
  std::string model{};          ///< empty: the embedded engine's; required elsewhere
  bool embedded{};              ///< the embedded engine answers: requested, or no service is named
  bool nobody_named{};          ///< no service is selected
  bool no_key{};                ///< the service requires none
  bool allow_plain_http_key{};  ///< the key may go to another machine over plain http

  /// Adds --provider, --profile, --base-url, --embedded, --no-key and --allow-plain-http-key to a command,
  /// and the footer about keys and exit codes; the values are stored in this object, which must outlive the
  /// parsing.
  void declare(CLI::App& command);
  /// Adds --model.
  void declare_model(CLI::App& command);

  /// The model to use: the one that was named, or the embedded engine's for `resource`. Nullopt, after
  /// printing an error, if there is neither.
  std::optional<std::string> model_for(Resource resource) const;
  /// The provider whose paths and rules apply.
  Provider row() const;
  /// A client of the service, or of the embedded engine in its place. Notes on standard error that the engine
  /// answers for want of a name, although the environment has a key.
  Client client() const;
  /// A client of the service itself.
  Client service() const;
};

}  // namespace inferwire::inline v0_1::cli
