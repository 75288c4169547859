/// \file
/// The reference engine: the providers' endpoints, served from a small genuine language model, offline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inferwire/engine/journal.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::engine {

class EmbeddingModel;
class LanguageModel;

/// The set of rules that an endpoint follows.
enum class Era : std::uint8_t {
  preview,  ///< Databricks' private preview: strict alternation of user and assistant, one choice, no tools
  current,
};

/// What an endpoint does.
enum class EndpointTask : std::uint8_t { chat, completions, embeddings };

/// The provider whose form of requests and answers is used, where the path alone does not determine it.
enum class Api : std::uint8_t {
  openai,
  ai21,  ///< Jamba
  lmi,   ///< a Large Model Inference container
};

/// Whether a model thinks before it answers, and who sees it.
enum class Reasoning : std::uint8_t {
  none,
  hidden,      ///< always, and its tokens are counted; summaries on request, in the Responses API (GPT-5)
  shown,       ///< always; in blocks of content where the provider has them (gpt-oss)
  on_request,  ///< when the request's `thinking` asks for it; shown, with signatures (Claude)
};

/// One of several models behind one endpoint, each chosen for a share of the requests (A/B tests).
struct ServedModel {
  std::string name{};                                       ///< what answers call the model
  std::uint32_t traffic_percentage{100};                    ///< its share of the requests, 0 to 100
  std::shared_ptr<const LanguageModel> model{};             ///< absent: the endpoint's
  std::shared_ptr<const EmbeddingModel> embedding_model{};  ///< makes embeddings; absent: the endpoint's
};

/// A model under the name that requests use.
struct Endpoint {
  std::string name{};          ///< "databricks-meta-llama-3-3-70b-instruct"
  std::string served_model{};  ///< what answers call the model: "meta-llama-3.3-70b-instruct-121024"
  /// The most tokens of prompt and answer together, if the model's own limit is not smaller.
  std::int64_t context_window{4096};
  EndpointTask task{EndpointTask::chat};
  Era era{Era::current};
  Api api{Api::openai};      ///< the form of the endpoint's chats below `/v1`
  bool openai_model{false};  ///< Databricks' Responses API is for OpenAI's models only
  Reasoning reasoning{Reasoning::none};
  bool cache_control{false};  ///< tool calls may have `cache_control`, like Claude's
  bool provisioned{false};    ///< provisioned throughput: Databricks' mounts allow several choices
  /// Streams of Databricks' mounts count in every chunk, as Llama and Claude do there.
  bool usage_in_every_chunk{false};
  /// Put before conversations that have none, and counted; empty: none.
  std::string default_system_prompt{};
  std::shared_ptr<const LanguageModel> model{};             ///< absent: the bundled one
  std::shared_ptr<const EmbeddingModel> embedding_model{};  ///< makes embeddings; absent: the bundled one
  /// JSON that every choice of a chat carries as `extra_fields`, as Databricks' external models do; empty:
  /// none.
  std::string extra_fields{};
  /// If there are any, one of them answers each request, by its share of the traffic; which one depends on
  /// the engine's seed and the number of the request.
  std::vector<ServedModel> served_models{};
};

/// The endpoints in the box, to be had under other names: change `name` in a copy and put it into
/// EngineOptions::endpoints.
INFERWIRE_API std::vector<Endpoint> bundled_endpoints();

/// A prompt that requests of the Responses API name by its id instead of sending it.
struct PromptTemplate {
  std::string id{};
  std::string version{};  ///< requests that name none get the last one with their id
  /// Put before the conversation as a system message; `{{name}}` is where the variable `name` goes.
  std::string instructions{};
};

/// Keys of AWS that requests to the SageMaker mount have to be signed with.
struct AwsKeys {
  std::string access_key_id{};
  Secret secret_access_key{};
};

/// Options of an Engine.
struct EngineOptions {
  /// Endpoints in addition to the bundled ones; one of the same name replaces it.
  std::vector<Endpoint> endpoints{};
  /// The prompts that requests may name in `prompt`.
  std::vector<PromptTemplate> prompts{};
  /// The key that requests need, if it is set: `Authorization: Bearer <key>`, or Basic with user "token".
  /// Without it any key or none will do, except on AI21's mount, which needs a bearer token.
  Optional<Secret> api_key{};
  /// The keys that have to sign requests to the SageMaker mount, if they are set (`INFERWIRE_SIGV4`; without
  /// it the requests are refused). The time of signing does not matter.
  Optional<AwsKeys> aws_keys{};
  /// Seed of requests that have none. The same seed and request give the same text.
  std::uint64_t seed{0};
  Pacing pacing{};  ///< how fast answers come; default: at once
  /// Largest request body in bytes; larger ones get 413. Absent: each mount has its provider's limit, 4 MiB
  /// on Databricks' mounts, 6 MiB on SageMaker's and 64 MiB on the others. No body may have more than 400,000
  /// JSON values.
  Optional<std::uint64_t> max_request_bytes{};
  /// Unix time in seconds that answers carry as `created`; absent: now.
  Optional<std::int64_t> created{};
  /// How long an answer may take, counted from the request; then it is an error, 504 before its first byte,
  /// unless the `error_behavior` of a request for completions is "truncate". A response in the background
  /// goes on: only who reads it is told. Absent: any time.
  Optional<Duration> deadline{};
  /// Databricks' mounts follow the newest documents word for word: chats and completions stream unless the
  /// request says otherwise, a chat completion is called "chat.completions", and only one prompt at a time
  /// streams.
  bool literal_defaults{false};
  /// The form of all endpoints' chats below `/v1`; absent: each its own.
  Optional<Api> v1{};
  /// AI21's mount refuses with 422 and a list of details, as the live service does, instead of 400.
  bool ai21_422{false};
  /// LMI's mounts answer as its version 0.29 did: one choice whatever `n` says, and in streams `logprobs` in
  /// a list, numbers for the tokens of `top_logprobs`, and code points for bytes.
  bool lmi_0_29{false};
  /// Answers given instead of the model's.
  Script script{};
  /// How many requests `Engine::journal` keeps. Default none.
  std::size_t journal_entries{0};
  /// How many responses below `/v1` are kept, to be retrieved and continued by their id: the newest ones, as
  /// long as their input takes no more than 64 MiB together. 0: none.
  std::size_t kept_responses{128};
};

/// The engine. In the box, by task:
///  - chat: databricks-meta-llama-3-3-70b-instruct, databricks-llama-2-70b-chat (preview era),
///    databricks-gpt-5, databricks-gpt-oss-120b, databricks-claude-sonnet-4, external-gemini, pt-chat
///    (provisioned throughput), jamba-1.5-mini, jamba-1.5-large, jamba-mini and jamba-large (AI21's),
///    inferwire-toy;
///  - completions: databricks-mpt-7b-instruct (preview era), pt-completion;
///  - embeddings: databricks-bge-large-en, inferwire-embed.
///    The bundled models answer them all, and are honest about their lack of quality. Mounts:
///  - Databricks: `/serving-endpoints/{name}/invocations`,
///    `/serving-endpoints/{chat/completions,completions,embeddings}`, the Responses API at
///    `/serving-endpoints/responses` for databricks-gpt-5 and at `/serving-endpoints/open-responses` for all
///    that chat; `/ai-gateway/mlflow/v1/{chat/completions,embeddings,responses}`;
///    `/api/2.0/serving-endpoints` lists, gets, creates and deletes endpoints;
///  - AI21: `/studio/v1/chat/completions` and `/ai21/v1/chat/completions`, for endpoints of its API;
///  - LMI: `/lmi/v1/chat/completions`, `/lmi/invocations` and `/invocations`, answered by inferwire-toy and,
///    for embeddings, by inferwire-embed, and `/predictions/{name}`;
///  - SageMaker: `/endpoints/{name}/invocations` and `/endpoints/{name}/invocations-response-stream`;
///  - OpenAI: `/v1/{chat/completions,completions,embeddings,responses,models}`, where every endpoint of text
///    chats and completes; `/v1/responses/{id}` gets and deletes, with `/cancel` and `/input_items` below
///    it, `/v1/responses/input_tokens` counts what would be read; `/health`.
///    Answers in JSON are instances of their schema, complete if they fit into their tokens; tools are called
///    with arguments that fit theirs. The bundled model notices that there is an image or a sound, and reads
///    a file's name and, if it is plain text, its content. What the engine validates but cannot do is refused
///    with 400, never ignored: extra_params, reasoning if the endpoint's model does none, keywords of schemas
///    that say `strict`, `conversation`, `functions`, `audio`, `web_search_options`. Responses below `/v1`
///    are kept once they are complete, unless `store` is false: see EngineOptions::kept_responses. The
///    `store` of a response says whether it is kept. Safe from any thread.
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
