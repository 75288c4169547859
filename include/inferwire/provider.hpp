/// \file
/// What differs between providers, as data. A row is an aggregate: copy one and change what your server
/// needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/by_name.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1 {

/// The place of an endpoint below the base URL.
struct Route {
  /// "/chat/completions", or with the model's name in it: "/serving-endpoints/{model}/invocations". Empty:
  /// the provider has no such endpoint.
  std::string path{};
  /// Whether the body names the model. Databricks' /invocations decodes strictly and wants it left out.
  bool model_in_body{true};
  /// The path of a call that streams, if it differs; empty: the same.
  std::string stream_path{};

  friend bool operator==(const Route&, const Route&) = default;
};

/// The provider whose documents define which parameters a request may have.
enum class RuleSet : std::uint8_t {
  none,  ///< nobody's: nothing is known about the server
  databricks,
  openai,
  ai21,
  lmi,
};

/// How a stream is cut into frames.
enum class Framing : std::uint8_t {
  sse,         ///< server-sent events
  json_lines,  ///< one JSON text a line
};

/// How a provider streams.
struct StreamRow {
  /// The framing assumed when neither the media type nor the first bytes reveal it.
  Framing framing{Framing::sse};
  /// The header that names the wanted media types of a stream, and its value.
  std::string accept_header{"Accept"};
  std::string accept{"text/event-stream, application/json;q=0.9"};
  /// Whether a stream of the Responses API may go on after a response is complete: agents on Databricks
  /// answer in turns, each a response of its own, and end with `[DONE]` or with the body.
  bool responses_in_turns{false};

  friend bool operator==(const StreamRow&, const StreamRow&) = default;
};

/// A header whose value is looked up in the environment; not sent if it is not set.
struct HeaderVariable {
  std::string header{};    ///< "OpenAI-Organization"
  std::string variable{};  ///< "OPENAI_ORG_ID"

  friend bool operator==(const HeaderVariable&, const HeaderVariable&) = default;
};

struct AuthRow;

/// What a credential is made from, in addition to the provider's row: the client's options.
struct AuthInputs {
  std::string base_url{};                      ///< empty: the options name none
  Secret key{};                                ///< empty: the options give none
  std::shared_ptr<Environment> environment{};  ///< the place where variables and files are looked up
  /// A missing key is not an error, and nothing is sent: for a service in process, or a local one.
  bool optional{};
};

/// How a provider authenticates requests when the options give no credential: makes that credential, or
/// returns nullptr if nothing is to be sent. Missing parts are reported when a request is sent, as an error
/// of Credential::prepare. It is a pointer so that a program links only the code of the providers it names.
/// May be a function of your own.
using AuthScheme = std::shared_ptr<Credential> (*)(const AuthRow& row, AuthInputs inputs);

/// The schemes of the shipped rows.
namespace auth_scheme {

/// A key, sent as a bearer token: the options', else that of AuthRow::key_variable.
INFERWIRE_API std::shared_ptr<Credential> bearer(const AuthRow& row, AuthInputs inputs);
/// One of several methods, chosen by the environment and ~/.databrickscfg: see Credential::databricks.
INFERWIRE_API std::shared_ptr<Credential> databricks(const AuthRow& row, AuthInputs inputs);
/// Signatures of AWS, whose keys come from the environment: see Credential::sigv4. A key in the options takes
/// precedence, as a bearer token: a proxy in front of the service may want one.
INFERWIRE_API std::shared_ptr<Credential> sigv4(const AuthRow& row, AuthInputs inputs);

}  // namespace auth_scheme

/// The credentials that a provider takes, and where they come from when the options give none.
struct AuthRow {
  AuthScheme scheme{&auth_scheme::bearer};  ///< nullptr: nothing is sent
  bool required{true};              ///< false: a key is sent when there is one (a local server needs none)
  std::string key_variable{};       ///< environment variable of the key, for example "OPENAI_API_KEY"
  std::string base_url_variable{};  ///< environment variable of the base URL, for example "DATABRICKS_HOST"
  std::string service{};            ///< sigv4: what the signatures are for, "sagemaker"
  std::string region{};             ///< sigv4; empty: AWS_REGION, AWS_DEFAULT_REGION, the profile's
  /// On whose behalf a call is made. ClientOptions::headers of the same name take precedence.
  std::vector<HeaderVariable> headers{};
  /// Environment variable of any other headers, one in each line: "Name: value". ClientOptions::headers of
  /// the same name take precedence, and these do over `headers`.
  std::string headers_variable{};

  friend bool operator==(const AuthRow&, const AuthRow&) = default;
};

/// How much one request may hold, for splitting a large job into requests (batch.hpp).
struct BatchRow {
  std::size_t embedding_inputs{32};       ///< texts of an embedding request
  std::size_t embedding_bytes{1u << 20};  ///< their bytes together

  friend bool operator==(const BatchRow&, const BatchRow&) = default;
};

/// A provider. The names of shipped rows: "databricks", "openai", "ai21", "lmi", "sagemaker".
struct Provider {
  [[no_unique_address]] ByName by_name{};  ///< never set: see ByName
  std::string name{};
  /// Used when neither the options nor the environment name one; may be empty. "{region}" stands for the
  /// region; "amazonaws.com" after it stands for the domain of AWS in that region.
  std::string base_url{};
  Route chat{};
  Route completions{};
  Route embeddings{};
  Route responses{};
  Route kept_responses{};  ///< responses that the service keeps, read with GET; one response is at "/{id}"
                           ///< below it
  Route models{};          ///< read with GET; one model is at "/{model}" below it
  AuthRow auth{};
  StreamRow stream{};
  RuleSet rules{RuleSet::none};
  /// The request member that asks for streaming is sent explicitly, true or false.
  bool explicit_stream{true};
  /// Embeddings are requested as base64 if the request leaves it open: a quarter of the bytes, and a fraction
  /// of the work.
  bool base64_embeddings{false};
  /// The member of an embedding request that holds the texts.
  std::string embeddings_input{"input"};
  /// The Responses API gets tools, tool_choice and text.format in the nested form of Databricks' documents;
  /// its own clients send the flat form. `CallOptions::nested_tools` takes precedence.
  bool nested_tools{false};
  BatchRow batch{};  ///< what `create_all` puts into one request

  friend bool operator==(const Provider&, const Provider&) = default;

  /// Databricks Foundation Model APIs at `/serving-endpoints/{model}/invocations`: pay-per-token and
  /// provisioned. The base URL is the workspace's host. See
  /// Credential::databricks for where host and credentials come from.
  INFERWIRE_API static Provider databricks();
  /// Databricks at its OpenAI-style path, `/serving-endpoints/chat/completions`.
  INFERWIRE_API static Provider databricks_openai();
  /// Databricks with its Responses API for models that are not OpenAI's (Gemini, open weights):
  /// `/serving-endpoints/open-responses`.
  INFERWIRE_API static Provider databricks_open_responses();
  /// Databricks' AI gateway, below `/ai-gateway/mlflow/v1`: model services of Unity Catalog
  /// ("catalog.schema.name", "system.ai.*") are found only there.
  INFERWIRE_API static Provider databricks_gateway();
  /// OpenAI, and servers that speak like it. The base URL ends in "/v1". Environment: OPENAI_API_KEY,
  /// OPENAI_BASE_URL, OPENAI_ORG_ID, OPENAI_PROJECT_ID, OPENAI_CUSTOM_HEADERS; default
  /// https://api.openai.com/v1.
  INFERWIRE_API static Provider openai();
  /// AI21's Jamba models. Environment: AI21_API_KEY, AI21_API_HOST; default https://api.ai21.com/studio/v1.
  INFERWIRE_API static Provider ai21();
  /// A Large Model Inference container (DJL Serving), called directly: chat at `/v1/chat/completions`,
  /// everything else at `/invocations`. Needs no key. Environment: LMI_BASE_URL; default
  /// http://localhost:8080.
  INFERWIRE_API static Provider lmi();
  /// An LMI container with chat at `/invocations` too, as SageMaker calls the container.
  INFERWIRE_API static Provider lmi_invocations();
  /// An LMI container behind Amazon SageMaker; `model` names the endpoint. `region` is for example
  /// "eu-west-1"; empty: AWS_REGION, then AWS_DEFAULT_REGION, then the profile's. One of other characters
  /// than letters, digits and '-' is Error{config}. Keys: Credential::sigv4, or the environment.
  INFERWIRE_API static Provider sagemaker(std::string region = {});

  /// The row made by the function of this name, for names that come from a configuration: "openai",
  /// "databricks_gateway", or "databricks-gateway" as the program spells it; absent if there is none.
  INFERWIRE_API static Optional<Provider> named(std::string_view name);
};

}  // namespace inferwire::inline v0_1
