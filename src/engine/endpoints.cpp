#include "engine/endpoints.hpp"

#include <algorithm>
#include <utility>

#include "inferwire/models.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

constexpr const char* helpful = "You are a helpful assistant.";

std::vector<Endpoint> box() {
  return {
      {.name = "databricks-meta-llama-3-3-70b-instruct",
       .served_model = "meta-llama-3.3-70b-instruct-121024",
       .context_window = 131'072,
       .usage_in_every_chunk = true,
       .default_system_prompt = helpful},
      {.name = "databricks-llama-2-70b-chat",
       .served_model = "llama-2-70b-chat",
       .context_window = 4'096,
       .era = Era::preview,
       .default_system_prompt = helpful},
      {.name = "databricks-mpt-7b-instruct",
       .served_model = "mpt-7b-8k-instruct",
       .context_window = 8'192,
       .task = EndpointTask::completions,
       .era = Era::preview},
      {.name = "databricks-bge-large-en",
       .served_model = "bge-large-en-v1.5",
       .context_window = 512,
       .task = EndpointTask::embeddings},
      {.name = "databricks-gpt-5",
       .served_model = "gpt-5-2025-08-07",
       .context_window = 272'000,
       .openai_model = true},
      {.name = "pt-chat", .served_model = "pt-chat-1", .context_window = 8'192, .provisioned = true},
      {.name = "pt-completion",
       .served_model = "pt-completion-1",
       .context_window = 8'192,
       .task = EndpointTask::completions,
       .provisioned = true},
      {.name = "inferwire-toy", .served_model = "inferwire-toy-1", .context_window = 32'768},
      {.name = "inferwire-embed",
       .served_model = "inferwire-embed-1",
       .context_window = 8'192,
       .task = EndpointTask::embeddings},
  };
}

}  // namespace

std::string_view name_of(EndpointTask task) noexcept {
  switch (task) {
    case EndpointTask::chat: return models::Task::chat;
    case EndpointTask::completions: return models::Task::completions;
    case EndpointTask::embeddings: break;
  }
  return models::Task::embeddings;
}

Endpoints::Endpoints(std::vector<Endpoint> more) : endpoints_(box()) {
  for (auto& endpoint : more) {
    const auto old = std::ranges::find(endpoints_, endpoint.name, &Endpoint::name);
    if (old == endpoints_.end()) {
      endpoints_.push_back(std::move(endpoint));
    } else {
      *old = std::move(endpoint);
    }
  }
}

const Endpoint* Endpoints::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(endpoints_, name, &Endpoint::name);
  return found == endpoints_.end() ? nullptr : &*found;
}

}  // namespace inferwire::inline v0_1::engine
