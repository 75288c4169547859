#include "engine/plan/provisioning.hpp"

#include "engine/utf8.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

using protocol::NodeKind;

// Each entity is searched for among all endpoints, and endpoints stay in memory.
constexpr std::size_t most_entities = 32, most_endpoints = 1000, longest_endpoint_text = 300;

struct NamedMember {
  const Document* value{};  ///< nullptr: absent
  std::string_view name{};
};

/// The member under its current name, or else its former one.
NamedMember member_of(const Document& object, std::string_view name, std::string_view former) {
  const auto* const value = member(object, name);
  const auto* const other = value == nullptr ? member(object, former) : nullptr;
  return other == nullptr ? NamedMember{value, name} : NamedMember{other, former};
}

/// The required member of `object` at `place`, under its current name or else its former one. A text has a
/// limited length.
OrRefusal<NamedMember> required(const Document& object, const Place& place, std::string_view name,
                                std::string_view former, NodeKind kind) {
  const auto found = member_of(object, name, former);
  const auto here = place.member(found.name);
  if (found.value == nullptr) return refuse::missing(here.text());
  if (node_kind(*found.value) != kind) {
    return refuse::wrong_type(here.text(), name_of(kind), kind_of(*found.value));
  }
  if (const auto size = text(found.value).size(); size > longest_endpoint_text) {
    return refuse::too_many(here.text(), longest_endpoint_text, "bytes", size);
  }
  return found;
}

/// The text of such a member; empty if it is absent.
OrRefusal<std::string> optional_text(const Document& object, const Place& place, std::string_view name,
                                     std::string_view former) {
  if (member_of(object, name, former).value == nullptr) return std::string();
  const auto found = required(object, place, name, former, NodeKind::string);
  if (!found) return found.refusal();
  return std::string(text(found->value));
}

std::optional<Refusal> check_object(const Document& value, const Place& place) {
  if (value.is_object()) return std::nullopt;
  return refuse::wrong_type(place.text(), name_of(NodeKind::object), kind_of(value));
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
  if (auto bad = check_object(external, place)) return *std::move(bad);
  const auto named = required(external, place, "name", "name", NodeKind::string);
  if (!named) return named.refusal();
  const auto name = text(named->value);
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
  if (auto bad = check_object(entity, place)) return *std::move(bad);
  if (const auto* external = member(entity, "external_model")) {
    return stand_in(*external, place.member("external_model"));
  }
  const auto named = required(entity, place, "entity_name", "model_name", NodeKind::string);
  if (!named) return named.refusal();
  const auto& name = named->value->get_ref<const std::string&>();
  if (auto found = find_entity(endpoints, name)) return found;
  return refuse::invalid_value(place.member(named->name).text(),
                               "there is no model called '" + shortened(name) + "'");
}

/// Adds an entity of a list to the endpoint, which takes all else from the first one.
std::optional<Refusal> add_entity(Endpoint& made, const Document& entity, const Endpoints& endpoints,
                                  const Place& place) {
  const auto found = base_of(entity, endpoints, place);
  if (!found) return found.refusal();
  auto served = optional_text(entity, place, "name", "name");
  if (!served) return std::move(served).refusal();
  auto entity_name = optional_text(entity, place, "entity_name", "model_name");
  if (!entity_name) return std::move(entity_name).refusal();
  const auto version = optional_text(entity, place, "entity_version", "model_version");
  if (!version) return version.refusal();
  const auto& base = **found;
  if (made.served_models.empty()) {
    made = base;
    made.served_models.clear();
  }
  if (base.task != made.task) {
    return refuse::invalid_value(place.above->text(),
                                 "all models of an endpoint have to do the same task, but '" + base.name +
                                     "' does " + std::string(name_of(base.task)));
  }
  made.served_models.push_back({.name = served->empty() ? served_name(base) : *std::move(served),
                                .model = base.model,
                                .embedding_model = base.embedding_model,
                                .entity_name = *std::move(entity_name)});
  if (!version->empty()) made.served_models.back().entity_version = *version;
  return std::nullopt;
}

/// Sets the traffic shares of the served models, which must add up to the whole.
std::optional<Refusal> share_traffic(const Document& config, std::vector<ServedModel>& models) {
  const Place whole{.name = "config.traffic_config"}, place = whole.member("routes");
  const auto* traffic = member(config, "traffic_config");
  if (traffic != nullptr) {
    if (auto bad = check_object(*traffic, whole)) return bad;
  }
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
    if (auto bad = check_object(route, here)) return bad;
    const auto name = required(route, here, "served_model_name", "served_entity_name", NodeKind::string);
    if (!name) return name.refusal();
    const auto* share = member(route, "traffic_percentage");
    if (share == nullptr || !share->is_number_unsigned() || share->get<std::uint64_t>() > 100) {
      return refuse::invalid_value(here.member("traffic_percentage").text(),
                                   "expected an integer in [0, 100]");
    }
    const auto model = std::ranges::find(models, text(name->value), &ServedModel::name);
    if (model == models.end()) {
      return refuse::invalid_value(here.member(name->name).text(), "there is no such served entity");
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
  const Place root, whole{.name = "config"};
  const auto named = required(document, root, "name", "name", NodeKind::string);
  if (!named) return named.refusal();
  const std::string name(text(named->value));
  if (name.empty()) return refuse::missing("name");
  if (endpoints.find(name)) return refuse::endpoint_exists(name);
  const auto* config = member(document, "config");
  if (config == nullptr) return refuse::missing(whole.member("served_entities").text());
  if (auto bad = check_object(*config, whole)) return *std::move(bad);
  const auto listed = required(*config, whole, "served_entities", "served_models", NodeKind::list);
  if (!listed) return listed.refusal();
  const auto place = whole.member(listed->name);
  const auto& entities = *listed->value;
  if (entities.empty()) return refuse::missing(place.text());
  if (entities.size() > most_entities) {
    return refuse::too_many(place.text(), most_entities, "entities", entities.size());
  }
  if (endpoints.all().size() >= most_endpoints) {
    return refuse::invalid_value("name", "at most " + std::to_string(most_endpoints) +
                                             " endpoints are supported, and there are as many");
  }

  Endpoint made;
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (auto bad = add_entity(made, entities[i], endpoints, place.element(i))) return *std::move(bad);
  }
  made.name = name;
  made.served_model = made.served_models.front().name;
  made.provisioned = true;
  made.era = Era::current;
  made.default_system_prompt.clear();
  if (auto bad = share_traffic(*config, made.served_models)) return *std::move(bad);
  return made;
}

}  // namespace inferwire::inline v0_1::engine
