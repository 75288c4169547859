/// \file
/// What a JSON text may look like: a graph of nodes, each with the fewest tokens that write it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/constraint/cost.hpp"
#include "engine/constraint/number_range.hpp"
#include "engine/constraint/pattern.hpp"
#include "engine/constraint/vocabulary.hpp"

namespace inferwire::inline v0_1::engine {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = static_cast<NodeId>(-1);

/// A text, and for each place in it the fewest tokens that spell the rest.
struct Spelling {
  std::string text{};
  std::vector<Cost> left{};
};

/// One of several texts, which are sorted and all different.
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
/// Written in this order.
struct Object {
  std::vector<Property> properties{};
  /// For each property the fewest tokens of the required ones from it on, with a comma before each.
  std::vector<Cost> required_left{};
};
/// One of several nodes; none of them has alternatives itself once the grammar is closed, unless there is no
/// such text.
struct Alternatives {
  std::vector<NodeId> of{};
};

using Node = std::variant<Literals, FreeString, PatternString, Number, Array, Object, Alternatives>;

/// Built node by node, then closed; from then on immutable and safe from any thread.
class Grammar {
 public:
  explicit Grammar(std::shared_ptr<const Vocabulary> vocabulary) : vocabulary_(std::move(vocabulary)) {}

  NodeId add(Node node);
  /// For nodes that lead back to themselves: they are added first and known later.
  void replace(NodeId id, Node node) { nodes_[id] = std::move(node); }
  Spelling spell(std::string text) const;
  /// Finds all costs. `root` is what a whole text is.
  void close(NodeId root);

  const Vocabulary& vocabulary() const noexcept { return *vocabulary_; }
  const Node& operator[](NodeId id) const noexcept { return nodes_[id]; }
  NodeId root() const noexcept { return root_; }
  /// The fewest tokens of such a text; `unreachable` where there is none.
  Cost cost(NodeId id) const noexcept { return costs_[id]; }
  Cost cost() const noexcept { return costs_[root_]; }

  /// What an array or an object needs that has `count` elements, or the properties before `from`.
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
