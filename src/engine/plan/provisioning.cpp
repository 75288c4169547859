#include "engine/plan/provisioning.hpp"

#include "base/utf8.hpp"
#include "engine/plan/sampling_plan.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

// Each entity is searched for among all endpoints, and endpoints stay in memory.
constexpr std::size_t most_entities = 32, most_endpoints = 1000;

/// The member under its current name, or else its former one.
const Document* member_of(const Document& object, std::string_view name, std::string_view former) {
  const auto* value = member(object, name);
  return value != nullptr ? value : member(object, former);
}

EndpointRef find_entity(const Endpoints& endpoints, const std::string& entity) {
  const auto last = entity.substr(entity.rfind('.') + 1);
  for (const auto& endpoint : endpoints.all()) {
    for (const auto& name : {entity, last}) {
      if (endpoint->name == name || served_name(*endpoint) == name) return endpoint;
    }
  }
  return nullptr;
}

/// The engine's model in place of an external one, whose provider is not called.
OrRefusal<EndpointRef> stand_in(const Document& external, const Place& place) {
  const auto name = text(member(external, "name"));
  if (name.empty()) return refuse::missing(place.member("name").text());
  const auto asked = text(member(external, "task"));
  for (const auto task : {EndpointTask::chat, EndpointTask::completions, EndpointTask::embeddings}) {
    if (name_of(task) != asked) continue;
    return std::make_shared<const Endpoint>(
        Endpoint{.name = std::string(name), .context_window = 32'768, .task = task});
  }
  return refuse::invalid_value(place.member("task").text(),
                               "expected one of 'llm/v1/chat', 'llm/v1/completions', 'llm/v1/embeddings'");
}

/// The model of an entity of a new endpoint.
OrRefusal<EndpointRef> base_of(const Document& entity, const Endpoints& endpoints, const Place& place) {
  if (const auto* external = member(entity, "external_model")) {
    return stand_in(*external, place.member("external_model"));
  }
  const auto* named = member_of(entity, "entity_name", "model_name");
  const auto here = place.member("entity_name");
  if (named == nullptr || !named->is_string()) return refuse::missing(here.text());
  const auto& name = named->get_ref<const std::string&>();
  if (auto found = find_entity(endpoints, name)) return found;
  return refuse::invalid_value(
      here.text(), "there is no model called '" + std::string(utf8::whole_characters(name, 64)) + "'");
}

/// Sets the traffic shares of the served models, which must add up to the whole.
std::optional<Refusal> share_traffic(const Document& config, std::vector<ServedModel>& models) {
  const Place root, place = root.member("config.traffic_config.routes");
  const auto* traffic = member(config, "traffic_config");
  const auto* routes = traffic != nullptr ? member(*traffic, "routes") : nullptr;
  if (routes == nullptr) {
    if (models.size() == 1) return std::nullopt;
    return refuse::missing(place.text());
  }
  if (!routes->is_array()) return refuse::wrong_type(place.text(), "a list", kind_of(*routes));
  for (auto& model : models) model.traffic_percentage = 0;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < routes->size(); ++i) {
    const auto& route = (*routes)[i];
    const auto here = place.element(i);
    const auto* name = member_of(route, "served_model_name", "served_entity_name");
    const auto* share = member(route, "traffic_percentage");
    if (name == nullptr) return refuse::missing(here.member("served_model_name").text());
    if (share == nullptr || !share->is_number_unsigned() || share->get<std::uint64_t>() > 100) {
      return refuse::invalid_value(here.member("traffic_percentage").text(),
                                   "expected an integer in [0, 100]");
    }
    const auto model = std::ranges::find(models, text(name), &ServedModel::name);
    if (model == models.end()) {
      return refuse::invalid_value(here.member("served_model_name").text(), "there is no such served entity");
    }
    model->traffic_percentage = share->get<std::uint32_t>();
    all += model->traffic_percentage;
  }
  if (all == 100) return std::nullopt;
  return refuse::invalid_value(place.text(),
                               "the percentages have to sum to 100, but got " + std::to_string(all));
}

}  // namespace

OrRefusal<Endpoint> plan_endpoint(const Document& document, const Endpoints& endpoints) {
  const std::string name(text(member(document, "name")));
  if (name.empty()) return refuse::missing("name");
  if (endpoints.find(name)) return refuse::endpoint_exists(name);
  const auto* config = member(document, "config");
  const auto* entities = config != nullptr ? member_of(*config, "served_entities", "served_models") : nullptr;
  if (entities == nullptr || !entities->is_array() || entities->empty()) {
    return refuse::missing("config.served_entities");
  }
  if (entities->size() > most_entities) {
    return refuse::invalid_value("config.served_entities", "at most 32 entities are supported, but got " +
                                                               std::to_string(entities->size()));
  }
  if (endpoints.all().size() >= most_endpoints) {
    return refuse::invalid_value("name", "at most 1000 endpoints are supported, and there are as many");
  }

  Endpoint made;
  const Place root, place = root.member("config.served_entities");
  for (std::size_t i = 0; i < entities->size(); ++i) {
    const auto& entity = (*entities)[i];
    auto found = base_of(entity, endpoints, place.element(i));
    if (!found) return std::move(found).refusal();
    const auto& base = *found;
    if (i == 0) {
      made = *base;
      made.served_models.clear();
    }
    if (base->task != made.task) {
      return refuse::invalid_value(place.text(), "all models of an endpoint have to do the same task, but '" +
                                                     base->name + "' does " +
                                                     std::string(name_of(base->task)));
    }
    std::string served(text(member(entity, "name")));
    made.served_models.push_back(
        {.name = served.empty() ? served_name(*base) : std::move(served),
         .model = base->model,
         .embedding_model = base->embedding_model,
         .entity_name = std::string(text(member_of(entity, "entity_name", "model_name")))});
    const auto version = text(member_of(entity, "entity_version", "model_version"));
    if (!version.empty()) made.served_models.back().entity_version = version;
  }
  made.name = name;
  made.served_model = made.served_models.front().name;
  made.provisioned = true;
  if (auto bad = share_traffic(*config, made.served_models)) return *std::move(bad);
  return made;
}

}  // namespace inferwire::inline v0_1::engine
