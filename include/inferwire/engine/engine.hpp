/// \file
/// The reference engine: the providers' endpoints, served from a small genuine language model, offline.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::engine {

class EmbeddingModel;
class LanguageModel;

/// Which rules an endpoint follows.
enum class Era : std::uint8_t {
  preview,  ///< Databricks' private preview: strict alternation of user and assistant, one choice, no tools
  current,
};

/// What an endpoint does.
enum class EndpointTask : std::uint8_t { chat, completions, embeddings };

/// A model under the name that requests use.
struct Endpoint {
  std::string name{};          ///< "databricks-meta-llama-3-3-70b-instruct"
  std::string served_model{};  ///< what answers call the model: "meta-llama-3.3-70b-instruct-121024"
  std::int64_t context_window{
      4096};  ///< tokens of prompt and answer together, if the model's own is not smaller
  EndpointTask task{EndpointTask::chat};
  Era era{Era::current};
  bool openai_model{false};  ///< Databricks' Responses API is for OpenAI's models only
  bool provisioned{false};   ///< provisioned throughput: Databricks' mounts allow several choices
  bool usage_in_every_chunk{
      false};  ///< streams of Databricks' mounts count in every chunk, as Llama does there
  std::string
      default_system_prompt{};  ///< put before conversations that bring none, and counted; empty: none
  std::shared_ptr<const LanguageModel> model{};             ///< absent: the bundled one
  std::shared_ptr<const EmbeddingModel> embedding_model{};  ///< of embeddings; absent: the bundled one
};

/// How fast answers come, streamed or not. The engine keeps time by the clock of whoever drives.
struct Pacing {
  Duration first_token{};  ///< before the first token; a stream's head and first chunk come at once
  Duration per_token{};    ///< before every further token
};

struct EngineOptions {
  /// Endpoints besides those in the box; one of the same name replaces it.
  std::vector<Endpoint> endpoints{};
  /// When set, requests need this key: `Authorization: Bearer <key>`, or Basic with user "token".
  std::optional<Secret> api_key{};
  /// Seed of requests that bring none. The same seed and request give the same text.
  std::uint64_t seed{0};
  Pacing pacing{};
  /// Largest request body in bytes; beyond it 413. Default 4 MiB, as Databricks has it.
  std::uint64_t max_request_bytes{4u << 20};
  /// Unix time in seconds that answers carry as `created`; absent: now.
  std::optional<std::int64_t> created{};
};

/// The engine. In the box: databricks-meta-llama-3-3-70b-instruct, databricks-llama-2-70b-chat (preview era),
/// pt-chat (provisioned throughput) and inferwire-toy chat; databricks-mpt-7b-instruct (preview era) and
/// pt-completion complete texts; databricks-bge-large-en and inferwire-embed embed. The bundled models answer
/// them all, and say honestly that they are of no quality. Mounts: `/serving-endpoints/{name}/invocations`,
/// `/serving-endpoints/{chat/completions,completions,embeddings}` and `/api/2.0/serving-endpoints`
/// (Databricks), `/v1/{chat/completions,completions,embeddings,models}` (OpenAI), where every endpoint of
/// text chats and completes, and `/health`. The Responses API is at `/v1/responses`, at
/// `/serving-endpoints/responses` for databricks-gpt-5, and at `/serving-endpoints/open-responses` for all
/// that chat. What it validates but cannot do is refused with 400, never ignored: tools, response formats
/// other than text, reasoning_effort, thinking, images, extra_params. Safe from any thread.
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

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::engine
