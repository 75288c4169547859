#include "engine/constraint/grammar.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {

NodeId Grammar::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

Spelling Grammar::spell(std::string text) const {
  auto left = vocabulary_->tokens_left(text);
  return {.text = std::move(text), .left = std::move(left)};
}

void Grammar::close(NodeId root) {
  root_ = root;
  flatten_alternatives();
  costs_.assign(nodes_.size(), unreachable);
  // Most nodes come before the nodes they contain: going backwards takes few rounds.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t id = nodes_.size(); id-- > 0;) {
      const auto cost = cost_of(nodes_[id]);
      changed |= cost != costs_[id];
      costs_[id] = cost;
    }
  }
}

/// Replaces nested alternatives by the nodes that they lead to, even if they refer to each other. Those that
/// lead to nothing stay, so that the reason can be reported.
void Grammar::flatten_alternatives() {
  std::vector<NodeId> seen_from(nodes_.size(), no_node);
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    auto* choice = std::get_if<Alternatives>(&nodes_[id]);
    if (choice == nullptr) continue;
    std::vector<NodeId> leaves;
    std::vector<NodeId> open(choice->of.rbegin(), choice->of.rend());
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      if (std::exchange(seen_from[at], id) == id) continue;
      if (const auto* inner = std::get_if<Alternatives>(&nodes_[at])) {
        open.insert(open.end(), inner->of.rbegin(), inner->of.rend());
      } else {
        leaves.push_back(at);
      }
    }
    if (!leaves.empty()) choice->of = std::move(leaves);
  }
}

Cost Grammar::left(const Array& array, std::uint32_t count) const noexcept {
  Cost sum = 1;  // "]"
  auto at = count;
  for (; at < array.least && at < array.first.size(); ++at) {
    sum = plus(sum, plus(at > 0 ? 1 : 0, costs_[array.first[at]]));
  }
  if (at >= array.least) return sum;
  if (array.rest == no_node) return unreachable;
  const auto element = costs_[array.rest];
  if (at == 0) sum = plus(sum, element), ++at;  // no comma before the first element
  return plus(sum, times(array.least - at, plus(1, element)));
}

Cost Grammar::left(const Object& object, std::size_t from, bool is_first) const noexcept {
  const auto required = object.required_left[from];
  const bool spares_comma = is_first && required > 0 && required < unreachable;
  return plus(1, required - (spares_comma ? 1 : 0));
}

namespace {

struct Costs {
  const Grammar& grammar;

  Cost operator()(Literals& literals) const {
    Cost least = unreachable;
    for (const auto& [text, left] : literals.texts) least = std::min(least, left.front());
    return least;
  }
  Cost operator()(FreeString& string) const {
    return plus(2, grammar.vocabulary().plain_tokens(string.length.least));
  }
  Cost operator()(PatternString& string) const { return plus(2, string.pattern.left(Pattern::start)); }
  Cost operator()(Number& number) const { return number.range.left({}); }
  Cost operator()(Array& array) const { return plus(1, grammar.left(array, 0)); }
  Cost operator()(Object& object) const {
    object.required_left.assign(object.properties.size() + 1, 0);
    for (std::size_t at = object.properties.size(); at-- > 0;) {
      const auto& [key, value, required] = object.properties[at];
      const auto own = required ? plus(1, plus(key.left.front(), grammar.cost(value))) : 0;
      object.required_left[at] = plus(own, object.required_left[at + 1]);
    }
    return plus(1, grammar.left(object, 0, true));
  }
  Cost operator()(Alternatives& choice) const {
    Cost least = unreachable;
    for (const auto id : choice.of) least = std::min(least, grammar.cost(id));
    return least;
  }
};

}  // namespace

Cost Grammar::cost_of(Node& node) const { return std::visit(Costs{*this}, node); }

}  // namespace inferwire::inline v0_1::engine
