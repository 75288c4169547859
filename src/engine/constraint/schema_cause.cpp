#include "engine/constraint/schema_cause.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

/// Finds the node below that makes a node impossible, and adds the steps to it; no_node if there is none.
struct Missing {
  const Grammar& grammar;
  SchemaPath& steps;

  bool lacks(NodeId id) const { return id != no_node && grammar.cost(id) >= unreachable; }
  NodeId below(NodeId id, SchemaPath more) const {
    std::ranges::move(more, std::back_inserter(steps));
    return id;
  }

  NodeId operator()(const Alternatives& choice) const {
    return choice.of.empty() ? no_node : choice.of.front();
  }
  NodeId operator()(const Object& object) const {
    for (const auto& [key, value, required] : object.properties) {
      if (!required || !lacks(value)) continue;
      const auto name = std::string_view(key.text).substr(0, key.text.size() - 1);
      return below(value, {"properties", parse_json(name).get<std::string>()});
    }
    return no_node;
  }
  NodeId operator()(const Array& array) const {
    for (std::size_t at = 0; at < std::min<std::size_t>(array.first.size(), array.least); ++at) {
      if (lacks(array.first[at])) return below(array.first[at], {"prefixItems", std::to_string(at)});
    }
    return lacks(array.rest) ? below(array.rest, {"items"}) : no_node;
  }
  NodeId operator()(const auto&) const { return no_node; }
};

}  // namespace

SchemaFault why_impossible(const Grammar& grammar, const Causes& causes) {
  const std::string problem = "no instance of it can be written";
  SchemaPath steps;
  std::set<NodeId> seen;
  for (auto id = grammar.root(); id != no_node; id = std::visit(Missing{grammar, steps}, grammar[id])) {
    if (!seen.insert(id).second) {
      return {.context = context_of(steps), .problem = problem + ": it is a part of itself"};
    }
    if (const auto cause = causes.find(id); cause != causes.end()) {
      return {.context = cause->second.context, .problem = problem + ": " + cause->second.problem};
    }
  }
  return {.context = context_of(steps), .problem = problem};
}

}  // namespace inferwire::inline v0_1::engine
