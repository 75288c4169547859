/// \file
/// The reference engine: serves the providers' endpoints offline, from a small but real language model.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/engine/journal.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

class EmbeddingModel;
class LanguageModel;

/// The version of the API that an endpoint follows.
enum class Era : std::uint8_t {
  preview,  ///< Databricks' private preview: strict alternation of user and assistant, one choice, no tools
  current,
};

/// What an endpoint does.
enum class EndpointTask : std::uint8_t { chat, completions, embeddings };

/// The provider whose form of requests and answers is used, if the path alone does not determine it.
enum class Api : std::uint8_t {
  openai,
  ai21,  ///< Jamba
  lmi,   ///< a Large Model Inference container
};

/// Whether a model reasons before it answers, and whether the reasoning is shown.
enum class Reasoning : std::uint8_t {
  none,
  hidden,      ///< always, and its tokens are counted; the Responses API gives summaries on request (GPT-5)
  shown,       ///< always; in content blocks if the provider has them (gpt-oss)
  on_request,  ///< if the request's `thinking` asks for it; shown, with signatures (Claude)
};

/// One of several models of an endpoint, each chosen for a share of the requests (A/B tests).
struct ServedModel {
  std::string name{};                                       ///< what answers call the model
  std::uint32_t traffic_percentage{100};                    ///< its share of the requests, 0 to 100
  std::shared_ptr<const LanguageModel> model{};             ///< absent: the endpoint's
  std::shared_ptr<const EmbeddingModel> embedding_model{};  ///< makes embeddings; absent: the endpoint's
  /// The name under which `/api/2.0/serving-endpoints` describes the model, "system.ai.llama"; empty: `name`.
  std::string entity_name{};
  std::string entity_version{"1"};  ///< described there as well
};

/// A serving endpoint: a model under the name that requests use.
struct Endpoint {
  std::string name{};          ///< "databricks-meta-llama-3-3-70b-instruct"
  std::string served_model{};  ///< what answers call the model: "meta-llama-3.3-70b-instruct-121024"
  /// The maximum number of tokens in prompt and answer together, unless the model's own limit is smaller.
  std::int64_t context_window{4096};
  EndpointTask task{EndpointTask::chat};
  Era era{Era::current};
  Api api{Api::openai};  ///< the form of the endpoint's chat API below `/v1`
  /// Whether it counts as OpenAI's model: Databricks' Responses API is for those only.
  bool openai_model{false};
  Reasoning reasoning{Reasoning::none};
  bool cache_control{false};  ///< whether tool calls may have `cache_control`, as for Claude
  bool provisioned{false};    ///< provisioned throughput: Databricks' mounts allow `n` above 1
  /// Whether streams of Databricks' mounts have the usage in every chunk, as those of Llama and Claude do.
  bool usage_in_every_chunk{false};
  /// The system prompt of conversations that have none; its tokens are counted. Empty: none.
  std::string default_system_prompt{};
  std::shared_ptr<const LanguageModel> model{};             ///< absent: the bundled one
  std::shared_ptr<const EmbeddingModel> embedding_model{};  ///< makes embeddings; absent: the bundled one
  /// JSON that every choice of a chat that is not streamed has as `extra_fields`, as with Databricks'
  /// external models, whose chunks are documented without the member; empty: none.
  std::string extra_fields{};
  /// If there are any, one of them answers each request, according to their shares of the traffic; which one
  /// depends on the engine's seed and the number of the request.
  std::vector<ServedModel> served_models{};
};

/// The built-in endpoints. To offer one under another name, change `name` in a copy and put it into
/// EngineOptions::endpoints.
INFERWIRE_API std::vector<Endpoint> bundled_endpoints();

/// A prompt template that requests of the Responses API refer to by its id.
struct PromptTemplate {
  std::string id{};
  std::string version{};  ///< requests without a version get the last template with their id
  /// The system message put before the conversation; `{{name}}` is replaced by the variable `name`.
  std::string instructions{};
};

/// The AWS keys with which requests to the SageMaker mount have to be signed.
struct AwsKeys {
  std::string access_key_id{};
  Secret secret_access_key{};
};

/// Options of an Engine.
struct EngineOptions {
  /// Endpoints in addition to the built-in ones; an endpoint of the same name replaces the built-in one.
  std::vector<Endpoint> endpoints{};
  /// The prompt templates that requests may name in `prompt`.
  std::vector<PromptTemplate> prompts{};
  /// If set, the key that requests need: `Authorization: Bearer <key>`, or Basic with user "token". Otherwise
  /// any key or none is accepted, except on AI21's mount, which requires a bearer token.
  Optional<Secret> api_key{};
  /// If set, the keys with which requests to the SageMaker mount have to be signed. (In a build without
  /// `INFERWIRE_SIGV4` they are refused.) The time of signing is not checked.
  Optional<AwsKeys> aws_keys{};
  /// The seed for requests that have none. The same seed and request give the same text.
  std::uint64_t seed{0};
  Pacing pacing{};  ///< how fast answers are sent; default: at once
  /// The largest request body, in bytes; larger ones get 413. Absent: each mount has its provider's limit, 4
  /// MiB on Databricks' mounts, 6 MiB on SageMaker's and 64 MiB on the others. No body may have more than
  /// 400,000 JSON values.
  Optional<std::uint64_t> max_request_bytes{};
  /// The value of `created` in answers, Unix time in seconds; absent: the current time.
  Optional<std::int64_t> created{};
  /// How long an answer may take, counted from the request. After that it ends with an error (504 if nothing
  /// was sent yet), unless the `error_behavior` of a completions request is "truncate". A background response
  /// continues; only a client reading it gets the error. Absent: no limit.
  Optional<Duration> deadline{};
  /// Whether Databricks' mounts follow the newest documentation word for word: chats and completions stream
  /// unless the request says otherwise, the `object` of a chat completion is "chat.completions", and, as in
  /// the preview's documentation, streams are limited to one prompt.
  bool literal_defaults{false};
  /// The form of the chat API of all endpoints below `/v1`; absent: each endpoint's own.
  Optional<Api> v1{};
  /// Whether AI21's mount refuses with 422 and a list of details, as the live service does, instead of 400.
  bool ai21_422{false};
  /// Whether LMI's mounts answer as version 0.29 did: one choice whatever `n` is, code points instead of
  /// bytes, and in streams `logprobs` as a list and numbers instead of tokens in `top_logprobs`.
  bool lmi_0_29{false};
  /// Scripted answers, given instead of the model's.
  Script script{};
  /// How many requests `Engine::journal` keeps. Default none.
  std::size_t journal_entries{0};
  /// How many responses below `/v1` are kept, to be retrieved and continued by their id: the newest, as long
  /// as their inputs and outputs together take no more than 64 MiB. 0: none.
  std::size_t kept_responses{128};
};

/// The reference engine. Safe from any thread.
///
/// Built-in endpoints, by task:
///  - chat: databricks-meta-llama-3-3-70b-instruct, databricks-llama-2-70b-chat (preview era),
///    databricks-gpt-5, databricks-gpt-oss-120b, databricks-claude-sonnet-4, external-gemini, pt-chat
///    (provisioned throughput), jamba-1.5-mini, jamba-1.5-large, jamba-mini and jamba-large (AI21's),
///    inferwire-toy;
///  - completions: databricks-mpt-7b-instruct (preview era), pt-completion;
///  - embeddings: databricks-bge-large-en, inferwire-embed.
///
/// The bundled models answer for all of them; their output is not meant to be useful.
///
/// Mounts:
///  - Databricks: `/serving-endpoints/{name}/invocations`,
///    `/serving-endpoints/{chat/completions,completions,embeddings}`, the Responses API at
///    `/serving-endpoints/responses` for databricks-gpt-5 and at `/serving-endpoints/open-responses` for all
///    chat endpoints; `/ai-gateway/mlflow/v1/{chat/completions,embeddings,responses}`;
///    `/api/2.0/serving-endpoints` lists, gets, creates and deletes endpoints;
///    `/.well-known/databricks-config`;
///  - AI21: `/studio/v1/chat/completions` and `/ai21/v1/chat/completions`, for endpoints of its API;
///  - LMI: `/lmi/v1/chat/completions`, `/lmi/invocations` and `/invocations`, answered by the endpoint
///    that `model` names, else by inferwire-toy or, for embeddings, by inferwire-embed; and
///    `/predictions/{name}`;
///  - SageMaker: `/endpoints/{name}/invocations` and `/endpoints/{name}/invocations-response-stream`;
///  - OpenAI: `/v1/{chat/completions,completions,embeddings,responses,models}`, where every text endpoint
///    serves both chats and completions; `/v1/models/{name}`; `/v1/responses/{id}` gets and deletes, with
///    `/cancel` and `/input_items` below it; `/v1/responses/input_tokens` counts input tokens;
///  - health checks: `/ping` and `/health`.
///
/// Answers in JSON conform to their schema, and are complete if they fit into the token limit; tools are
/// called with arguments that conform to theirs. The bundled model recognises that there is an image or
/// audio, and reads a file's name and, if it is plain text, its content. What the engine validates but does
/// not support is refused with 400, never ignored: extra_params, reasoning if the endpoint's model does none,
/// unsupported keywords of schemas with `strict`, `conversation`, `functions`, `audio`, `web_search_options`.
///
/// Completed responses below `/v1` are kept unless `store` is false: see EngineOptions::kept_responses. The
/// `store` of a response says whether it is kept.
class INFERWIRE_API Engine final : public Service {
 public:
  explicit Engine(EngineOptions options = {});
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::unique_ptr<Generation> start(const HttpRequest& request, TimePoint now) override;
  std::uint64_t max_request_bytes() const override;

  /// The names of all endpoints, in the order of registration.
  std::vector<std::string> endpoint_names() const;

  /// The requests so far, if the options ask for them.
  Journal journal() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::engine
