#include "engine/handlers/models.hpp"

#include "engine/json_text.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

OrderedJson model_of(const Endpoint& endpoint, std::int64_t created) {
  return {{"id", endpoint.name}, {"object", "model"}, {"created", created}, {"owned_by", "inferwire"}};
}

OrderedJson config_of(const Endpoint& endpoint) {
  auto entities = OrderedJson::array();
  auto routes = OrderedJson::array();
  const auto add = [&](const ServedModel& served) {
    const auto& entity = served.entity_name.empty() ? served.name : served.entity_name;
    entities.push_back(
        {{"name", served.name}, {"entity_name", entity}, {"entity_version", served.entity_version}});
    routes.push_back({{"served_model_name", served.name}, {"traffic_percentage", served.traffic_percentage}});
  };
  for (const auto& served : endpoint.served_models) add(served);
  if (entities.empty()) add({.name = served_name(endpoint)});
  return {{"served_entities", std::move(entities)}, {"traffic_config", {{"routes", std::move(routes)}}}};
}

bool calls_functions(const Endpoint& endpoint) {
  return endpoint.task == EndpointTask::chat && endpoint.era == Era::current;
}

OrderedJson endpoint_of(const Endpoint& endpoint, std::int64_t created) {
  const auto milliseconds = created * 1000;
  return {{"name", endpoint.name},
          {"creator", "inferwire"},
          {"creation_timestamp", milliseconds},
          {"last_updated_timestamp", milliseconds},
          {"state", {{"ready", "READY"}, {"config_update", "NOT_UPDATING"}}},
          {"config", config_of(endpoint)},
          {"id", endpoint.name},
          {"task", name_of(endpoint.task)},
          {"permission_level", "CAN_QUERY"},
          {"capabilities", {{"function_calling", calls_functions(endpoint)}}}};
}

template <class Describe>
OrderedJson all(const Endpoints& endpoints, std::int64_t created, Describe describe) {
  auto list = OrderedJson::array();
  for (const auto& endpoint : endpoints.all()) list.push_back(describe(*endpoint, created));
  return list;
}

}  // namespace

std::string list_models(const Endpoints& endpoints, std::int64_t created) {
  return print({{"object", "list"}, {"data", all(endpoints, created, &model_of)}});
}
std::string describe_model(const Endpoint& endpoint, std::int64_t created) {
  return print(model_of(endpoint, created));
}

std::string list_endpoints(const Endpoints& endpoints, std::int64_t created) {
  return print({{"endpoints", all(endpoints, created, &endpoint_of)}});
}
std::string describe_endpoint(const Endpoint& endpoint, std::int64_t created) {
  return print(endpoint_of(endpoint, created));
}

}  // namespace inferwire::inline v0_1::engine
