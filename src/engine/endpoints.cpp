#include "engine/endpoints.hpp"

#include <algorithm>
#include <utility>

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
      {.name = "pt-chat", .served_model = "pt-chat-1", .context_window = 8'192, .provisioned = true},
      {.name = "inferwire-toy", .served_model = "inferwire-toy-1", .context_window = 32'768},
  };
}

}  // namespace

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
