/// \file
/// Whom a command asks: the options that all commands of the client share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "inferwire/client.hpp"

namespace CLI {
class App;
}

namespace inferwire::inline v0_1::cli {

/// The resource of the client that a command asks.
enum class Resource : std::uint8_t { chat, completions, embeddings, responses };

/// Who is asked where neither an option nor a profile says so.
inline constexpr const char* default_provider = "openai";

struct Connection {
  std::string profile{};  ///< a name in the file of profiles; fills in what the others leave open
  std::string
      provider{};  ///< a key of the table of providers; empty until parsed: the profile's, then openai
  std::string base_url{};       ///< empty: the provider's environment variable, then its own
  std::string model{};          ///< empty: the embedded engine's; required elsewhere
  bool embedded{};              ///< the embedded engine answers: asked for, or nobody else is named
  bool no_key{};                ///< the service wants none
  bool allow_plain_http_key{};  ///< the key may go to another machine over plain http

  /// Adds --provider, --profile, --base-url, --embedded, --no-key and --allow-plain-http-key to a command,
  /// and the footer that tells of keys and exit codes; they land in this object, which has to outlive the
  /// parsing.
  void declare(CLI::App& command);
  /// Adds --model.
  void declare_model(CLI::App& command);

  /// The model to ask: the one that was named, or the embedded engine's for `resource`. Nothing, and a
  /// complaint, when there is none to choose.
  std::optional<std::string> model_for(Resource resource) const;
  /// The provider whose paths and rules hold.
  Provider row() const;
  /// Who answers: the service, or the embedded engine in its place.
  Client client() const;
  /// The service itself.
  Client service() const;
};

}  // namespace inferwire::inline v0_1::cli
