/// \file
/// The differences between providers, as data. A row is an aggregate: copy one and change what your server
/// needs.
#pragma once

#include "inferwire/by_name.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

/// The path of an endpoint below the base URL.
struct Route {
  /// "/chat/completions", or with the model's name in it: "/serving-endpoints/{model}/invocations". Empty:
  /// the provider has no such endpoint.
  std::string path{};
  /// Whether the body names the model. Databricks' /invocations decodes strictly and does not accept it.
  bool model_in_body{true};
  /// The path for streaming calls, if it differs; empty: the same path.
  std::string stream_path{};

  friend bool operator==(const Route&, const Route&) = default;
};

/// Hosts of the provider's own, where all paths are known: a path in the base URL is ignored there.
struct DedicatedHosts {
  std::vector<std::string> suffixes{};  ///< what their names end with: ".ai-gateway.cloud.databricks.com"
  std::string prefix{};  ///< what paths begin with elsewhere, but not there: "/ai-gateway"; may be empty

  friend bool operator==(const DedicatedHosts&, const DedicatedHosts&) = default;
};

/// The provider whose documentation defines which parameters a request may have.
enum class RuleSet : std::uint8_t {
  none,  ///< no rules: nothing is known about the server
  databricks,
  openai,
  ai21,
  lmi,
};

/// How a stream is cut into frames.
enum class Framing : std::uint8_t {
  sse,         ///< server-sent events
  json_lines,  ///< one JSON text per line
};

/// How a provider streams.
struct StreamRow {
  /// The framing to assume if neither the media type nor the first bytes determine it.
  Framing framing{Framing::sse};
  /// The header that requests the media types of a stream, and its value.
  std::string accept_header{"Accept"};
  std::string accept{"text/event-stream, application/json;q=0.9"};
  /// Whether a stream of the Responses API may continue after a response is complete: agents on Databricks
  /// answer in turns, each a separate response, and end with `[DONE]` or with the body.
  bool responses_in_turns{false};

  friend bool operator==(const StreamRow&, const StreamRow&) = default;
};

/// A header whose value is taken from an environment variable; not sent if the variable is not set.
struct HeaderVariable {
  std::string header{};    ///< "OpenAI-Organization"
  std::string variable{};  ///< "OPENAI_ORG_ID"

  friend bool operator==(const HeaderVariable&, const HeaderVariable&) = default;
};

struct AuthRow;

/// What a credential is made from in addition to the provider's row: the client's options.
struct AuthInputs {
  std::string base_url{};                      ///< empty: not set in the options
  Secret key{};                                ///< empty: not set in the options
  std::shared_ptr<Environment> environment{};  ///< where variables and files are looked up
  /// If true, a missing key is not an error, and nothing is sent: for a service in process, or a local one.
  bool optional{};
};

/// Makes the credential of a provider if the options contain none, or returns nullptr if nothing is to be
/// sent. Missing parts are reported when a request is sent, as an error of Credential::prepare. A function
/// pointer, so that a program links only the code of the providers that it names; it may point to a function
/// of yours.
using AuthScheme = std::shared_ptr<Credential> (*)(const AuthRow& row, AuthInputs inputs);

/// The schemes of the library's own rows.
namespace auth_scheme {

/// A key, sent as a bearer token: the key in the options, else the value of AuthRow::key_variable.
INFERWIRE_API std::shared_ptr<Credential> bearer(const AuthRow& row, AuthInputs inputs);
/// One of several methods, chosen by the environment and ~/.databrickscfg: see Credential::databricks.
INFERWIRE_API std::shared_ptr<Credential> databricks(const AuthRow& row, AuthInputs inputs);
/// AWS signatures, with keys from the environment: see Credential::sigv4. A key in the options takes
/// precedence and is sent as a bearer token, which a proxy in front of the service may require.
INFERWIRE_API std::shared_ptr<Credential> sigv4(const AuthRow& row, AuthInputs inputs);

}  // namespace auth_scheme

/// The credentials that a provider accepts, and where they come from if the options contain none.
struct AuthRow {
  AuthScheme scheme{&auth_scheme::bearer};  ///< nullptr: nothing is sent
  bool required{true};         ///< false: a key is sent if there is one, but not required (for local servers)
  std::string key_variable{};  ///< environment variable of the key, for example "OPENAI_API_KEY"
  std::string base_url_variable{};  ///< environment variable of the base URL, for example "DATABRICKS_HOST"
  std::string service{};            ///< sigv4: the AWS service, "sagemaker"
  std::string region{};             ///< sigv4; empty: AWS_REGION, else AWS_DEFAULT_REGION, else the profile's
  /// Headers that say on whose behalf a call is made. ClientOptions::headers of the same name take
  /// precedence.
  std::vector<HeaderVariable> headers{};
  /// Environment variable with further headers, one per line: "Name: value". They take precedence over
  /// `headers`, and ClientOptions::headers of the same name take precedence over them. Any may be a key: over
  /// plain http they go where a key may go.
  std::string headers_variable{};

  friend bool operator==(const AuthRow&, const AuthRow&) = default;
};

/// Limits of one request, for splitting a large job into requests (batch.hpp).
struct BatchRow {
  std::size_t embedding_inputs{32};       ///< the maximum number of texts in an embedding request
  std::size_t embedding_bytes{1u << 20};  ///< the maximum size of these texts together, in bytes

  friend bool operator==(const BatchRow&, const BatchRow&) = default;
};

/// A provider. The rows of the library have the names "databricks", "openai", "ai21", "lmi" and "sagemaker".
struct Provider {
  [[no_unique_address]] ByName by_name{};  ///< never set: see ByName
  std::string name{};
  /// Used if neither the options nor the environment name one; may be empty. "{region}" is replaced by the
  /// region; "amazonaws.com" after it is replaced by the domain of AWS in that region.
  std::string base_url{};
  std::vector<DedicatedHosts> dedicated_hosts{};  ///< the first with the base URL's host counts; usually none
  Route chat{};
  Route completions{};
  Route embeddings{};
  Route responses{};
  /// Responses that the service keeps, read with GET; one response is at "/{id}" below it.
  Route kept_responses{};
  Route models{};  ///< read with GET; one model is at "/{model}" below it
  AuthRow auth{};
  StreamRow stream{};
  RuleSet rules{RuleSet::none};
  /// Whether the call sets the request member `stream`, to true or false. If not, it is sent as the request
  /// has it, which has to be true for streams.
  bool explicit_stream{true};
  /// Whether embeddings are requested as base64 if the request does not set an encoding: a quarter of the
  /// bytes, and a fraction of the work.
  bool base64_embeddings{false};
  /// The name of the member of an embedding request that holds the texts.
  std::string embeddings_input{"input"};
  /// Whether the Responses API gets tools, tool_choice and text.format in the nested form that Databricks
  /// documents; Databricks' own clients send the flat form. `CallOptions::nested_tools` takes precedence.
  bool nested_tools{false};
  BatchRow batch{};  ///< limits of one request of `create_all`

  friend bool operator==(const Provider&, const Provider&) = default;

  /// Databricks Foundation Model APIs at `/serving-endpoints/{model}/invocations`: pay-per-token and
  /// provisioned throughput. The base URL is the workspace's host. For the sources of host and credentials
  /// see Credential::databricks.
  INFERWIRE_API static Provider databricks();
  /// Databricks at its OpenAI-style path, `/serving-endpoints/chat/completions`.
  INFERWIRE_API static Provider databricks_openai();
  /// Databricks with the Responses API for models that are not OpenAI's (Gemini, open-weight models):
  /// `/serving-endpoints/open-responses`.
  INFERWIRE_API static Provider databricks_open_responses();
  /// Databricks' AI gateway, below `/ai-gateway/mlflow/v1`: model services of Unity Catalog
  /// ("catalog.schema.name", "system.ai.*") are available only there. The base URL is the workspace's host,
  /// or the gateway's own, `https://{workspace id}.ai-gateway.cloud.databricks.com`: see `dedicated_hosts`.
  INFERWIRE_API static Provider databricks_gateway();
  /// OpenAI, and servers with a compatible API. The base URL ends in "/v1". Environment: OPENAI_API_KEY,
  /// OPENAI_BASE_URL, OPENAI_ORG_ID, OPENAI_PROJECT_ID, OPENAI_CUSTOM_HEADERS; default
  /// https://api.openai.com/v1.
  INFERWIRE_API static Provider openai();
  /// AI21's Jamba models. Environment: AI21_API_KEY, AI21_API_HOST; default https://api.ai21.com/studio/v1.
  INFERWIRE_API static Provider ai21();
  /// A Large Model Inference container (DJL Serving), called directly: chat at `/v1/chat/completions`,
  /// everything else at `/invocations`. Needs no key. Environment: LMI_BASE_URL; default
  /// http://localhost:8080.
  INFERWIRE_API static Provider lmi();
  /// An LMI container with chat at `/invocations` too, as SageMaker calls it.
  INFERWIRE_API static Provider lmi_invocations();
  /// An LMI container on Amazon SageMaker; `model` names the endpoint. `region` is for example "eu-west-1";
  /// empty: AWS_REGION, else AWS_DEFAULT_REGION, else the profile's. A region with characters other than
  /// letters, digits and '-' is Error{config}. Keys come from Credential::sigv4, or from the environment.
  INFERWIRE_API static Provider sagemaker(std::string region = {});

  /// The row that the function of this name returns, for names in a configuration: "openai",
  /// "databricks_gateway", or "databricks-gateway" as the command-line program spells it; absent if there is
  /// none.
  INFERWIRE_API static Optional<Provider> named(std::string_view name);
};

}  // namespace inferwire::inline v0_1
