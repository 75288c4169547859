/// \file
/// What is different about each provider, as data. A row is an aggregate: copy one and change what your
/// server needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/export.hpp"

namespace inferwire::inline v0_1 {

/// Where an endpoint is found below the base URL.
struct Route {
  /// "/chat/completions", or with the model's name in it: "/serving-endpoints/{model}/invocations". Empty:
  /// the provider has no such endpoint.
  std::string path{};
  /// Whether the body names the model. Databricks' /invocations decodes strictly and wants it left out.
  bool model_in_body{true};

  friend bool operator==(const Route&, const Route&) = default;
};

/// Which credentials a provider takes, and from where when the options give none.
struct AuthRow {
  bool required{true};              ///< false: a key is sent when there is one (a local server needs none)
  std::string key_variable{};       ///< environment variable of the key, for example "OPENAI_API_KEY"
  std::string base_url_variable{};  ///< environment variable of the base URL, for example "DATABRICKS_HOST"

  friend bool operator==(const AuthRow&, const AuthRow&) = default;
};

/// A provider. The names of shipped rows: "databricks", "openai".
struct Provider {
  std::string name{};
  std::string base_url{};  ///< used when neither the options nor the environment name one; may be empty
  Route chat{};
  Route completions{};
  Route embeddings{};
  Route responses{};
  Route models{};  ///< read with GET; one model is at "/{model}" below it
  AuthRow auth{};
  /// The request member that asks for streaming is sent explicitly, true or false.
  bool explicit_stream{true};

  friend bool operator==(const Provider&, const Provider&) = default;

  /// Databricks Foundation Model APIs at `/serving-endpoints/{model}/invocations`: pay-per-token and
  /// provisioned. The base URL is the workspace's host. Environment: DATABRICKS_HOST, DATABRICKS_TOKEN.
  INFERWIRE_API static Provider databricks();
  /// The same service at its OpenAI-style path, `/serving-endpoints/chat/completions`.
  INFERWIRE_API static Provider databricks_openai();
  /// OpenAI, and servers that speak like it. The base URL ends in "/v1". Environment: OPENAI_API_KEY,
  /// OPENAI_BASE_URL; default https://api.openai.com/v1.
  INFERWIRE_API static Provider openai();
};

}  // namespace inferwire::inline v0_1
