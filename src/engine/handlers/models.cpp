#include "engine/handlers/models.hpp"

#include <nlohmann/json.hpp>

namespace inferwire::inline v0_1::engine {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson describe(const Endpoint& endpoint, std::int64_t created) {
  return {{"id", endpoint.name}, {"object", "model"}, {"created", created}, {"owned_by", "inferwire"}};
}

std::string print(const OrderedJson& document) {
  // Names of endpoints come from the program, which may have given any bytes.
  return document.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

std::string list_models(const Endpoints& endpoints, std::int64_t created) {
  auto data = OrderedJson::array();
  for (const auto& endpoint : endpoints.all()) data.push_back(describe(endpoint, created));
  return print({{"object", "list"}, {"data", std::move(data)}});
}

std::variant<std::string, Refusal> get_model(const Endpoints& endpoints, std::string_view name,
                                             std::int64_t created) {
  const auto* endpoint = endpoints.find(name);
  if (endpoint == nullptr) return refuse::no_endpoint(name);
  return print(describe(*endpoint, created));
}

}  // namespace inferwire::inline v0_1::engine
