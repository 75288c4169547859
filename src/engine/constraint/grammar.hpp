/// \file
/// What a JSON text may look like: a graph of nodes, each with the fewest tokens that can write it.
#pragma once

#include "engine/constraint/cost.hpp"
#include "engine/constraint/number_range.hpp"
#include "engine/constraint/pattern.hpp"
#include "engine/constraint/vocabulary.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = static_cast<NodeId>(-1);

/// A text, and for each position in it the fewest tokens that spell the rest.
struct Spelling {
  std::string text{};
  std::vector<Cost> left{};
};

/// One of several texts, which are sorted and distinct.
struct Literals {
  std::vector<Spelling> texts{};
};
/// A string of any characters.
struct FreeString {
  StringLength length{};
};
struct PatternString {
  Pattern pattern;
};
struct Number {
  NumberRange range;
};
struct Array {
  std::vector<NodeId> first{};  ///< its first elements
  NodeId rest{no_node};         ///< all others
  std::uint32_t least{};
  std::uint32_t most{};
};
struct Property {
  Spelling key{};  ///< the name with its quotes and the colon
  NodeId value{};
  bool required{};
};
/// Properties are written in this order.
struct Object {
  std::vector<Property> properties{};
  /// For each property, the fewest tokens of it and those after it that are required, a comma before each.
  std::vector<Cost> required_left{};
};
/// One of several nodes. Once the grammar is closed, none of them is itself a choice, unless no text is
/// possible.
struct Alternatives {
  std::vector<NodeId> of{};
};

using Node = std::variant<Literals, FreeString, PatternString, Number, Array, Object, Alternatives>;

/// Built node by node, then closed; from then on immutable and safe to use from any thread.
class Grammar {
 public:
  explicit Grammar(std::shared_ptr<const Vocabulary> vocabulary) : vocabulary_(std::move(vocabulary)) {}

  NodeId add(Node node);
  /// For recursive nodes, which are added before their content is known.
  void replace(NodeId id, Node node) { nodes_[id] = std::move(node); }
  Spelling spell(std::string text) const;
  /// Computes all costs. `root` is the node of a whole text.
  void close(NodeId root);

  const Vocabulary& vocabulary() const noexcept { return *vocabulary_; }
  const Node& operator[](NodeId id) const noexcept { return nodes_[id]; }
  NodeId root() const noexcept { return root_; }
  /// The fewest tokens that write the node; `unreachable` if there is no text for it.
  Cost cost(NodeId id) const noexcept { return costs_[id]; }
  Cost cost() const noexcept { return costs_[root_]; }

  /// The fewest tokens that complete an array with `count` elements, or an object from property `from` on.
  Cost left(const Array& array, std::uint32_t count) const noexcept;
  Cost left(const Object& object, std::size_t from, bool is_first) const noexcept;

 private:
  void flatten_alternatives();
  Cost cost_of(Node& node) const;

  std::shared_ptr<const Vocabulary> vocabulary_;
  std::vector<Node> nodes_;
  std::vector<Cost> costs_;
  NodeId root_{};
};

}  // namespace inferwire::inline v0_1::engine
