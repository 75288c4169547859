#include "engine/endpoints.hpp"

#include "inferwire/models.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr const char* helpful = "You are a helpful assistant.";

std::string_view name_in(const EndpointRef& endpoint) { return endpoint->name; }

}  // namespace

std::vector<Endpoint> bundled_endpoints() {
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
       .openai_model = true,
       .reasoning = Reasoning::hidden},
      {.name = "databricks-gpt-oss-120b",
       .served_model = "gpt-oss-120b-080525",
       .context_window = 131'072,
       .reasoning = Reasoning::shown},
      {.name = "databricks-claude-sonnet-4",
       .served_model = "us.anthropic.claude-sonnet-4-20250514-v1:0",
       .context_window = 200'000,
       .reasoning = Reasoning::on_request,
       .cache_control = true,
       .usage_in_every_chunk = true},
      {.name = "external-gemini",
       .served_model = "gemini-2.5-pro",
       .context_window = 1'048'576,
       .extra_fields =
           R"({"safetyRating":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"NEGLIGIBLE"}]})"},
      {.name = "pt-chat", .served_model = "pt-chat-1", .context_window = 8'192, .provisioned = true},
      {.name = "pt-completion",
       .served_model = "pt-completion-1",
       .context_window = 8'192,
       .task = EndpointTask::completions,
       .provisioned = true},
      {.name = "jamba-1.5-mini",
       .served_model = "jamba-1.5-mini",
       .context_window = 262'144,
       .api = Api::ai21},
      {.name = "jamba-1.5-large",
       .served_model = "jamba-1.5-large",
       .context_window = 262'144,
       .api = Api::ai21},
      {.name = "jamba-mini", .served_model = "jamba-mini", .context_window = 262'144, .api = Api::ai21},
      {.name = "jamba-large", .served_model = "jamba-large", .context_window = 262'144, .api = Api::ai21},
      {.name = "inferwire-toy", .served_model = "inferwire-toy-1", .context_window = 32'768},
      {.name = "inferwire-embed",
       .served_model = "inferwire-embed-1",
       .context_window = 8'192,
       .task = EndpointTask::embeddings},
  };
}

std::string_view name_of(EndpointTask task) noexcept {
  switch (task) {
    case EndpointTask::chat: return models::Task::chat;
    case EndpointTask::completions: return models::Task::completions;
    case EndpointTask::embeddings: break;
  }
  return models::Task::embeddings;
}

Endpoints::Endpoints(std::vector<Endpoint> more) {
  for (auto& endpoint : bundled_endpoints()) add(std::move(endpoint));
  for (auto& endpoint : more) {
    const auto old = std::ranges::find(endpoints_, endpoint.name, &name_in);
    if (old == endpoints_.end()) {
      add(std::move(endpoint));
    } else {
      *old = std::make_shared<const Endpoint>(std::move(endpoint));
    }
  }
}

EndpointRef Endpoints::find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(endpoints_, name, &name_in);
  return found == endpoints_.end() ? nullptr : *found;
}

std::vector<EndpointRef> Endpoints::all() const {
  const std::lock_guard lock(mutex_);
  return endpoints_;
}

bool Endpoints::add(Endpoint endpoint) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(endpoints_, endpoint.name, &name_in) != endpoints_.end()) return false;
  endpoints_.push_back(std::make_shared<const Endpoint>(std::move(endpoint)));
  return true;
}

bool Endpoints::remove(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(endpoints_, name, &name_in);
  if (found == endpoints_.end()) return false;
  endpoints_.erase(found);
  return true;
}

EndpointRef draw_served_model(const EndpointRef& endpoint, std::uint64_t lot) {
  const auto& served = endpoint->served_models;
  std::uint64_t all = 0;
  for (const auto& model : served) all += model.traffic_percentage;
  if (all == 0) return endpoint;
  auto rest = lot % all;
  auto chosen = served.begin();
  for (; rest >= chosen->traffic_percentage; ++chosen) rest -= chosen->traffic_percentage;
  auto copy = std::make_shared<Endpoint>(*endpoint);
  copy->served_model = chosen->name;
  if (chosen->model) copy->model = chosen->model;
  if (chosen->embedding_model) copy->embedding_model = chosen->embedding_model;
  return copy;
}

}  // namespace inferwire::inline v0_1::engine
