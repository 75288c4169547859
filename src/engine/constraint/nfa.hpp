/// \file
/// Nondeterministic finite automata of regular expressions.
#pragma once

#include "engine/constraint/regex.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// An automaton over bytes that may be in many states (here: nodes) at once. It is built by Thompson's
/// construction, beginning at its end.
class Nfa {
 public:
  using Id = std::uint32_t;
  using Ids = std::vector<Id>;

  struct Node {
    std::bitset<256> bytes{};
    Id next{};
    bool ends_character{};    ///< the byte is the last of its character
    std::vector<Id> forks{};  ///< instead of bytes: continues at each of these
  };

  static constexpr std::size_t most_nodes = 1'000;
  /// The node where a string is complete.
  static constexpr Id end = 0;

  explicit Nfa(const Regex& regex);

  Id start() const { return start_; }
  std::size_t size() const { return nodes_.size(); }
  /// Whether construction was abandoned, because of too many nodes or too much work.
  bool too_large() const;
  const Node& operator[](Id id) const { return nodes_[id]; }

  /// The epsilon closure of `ids`: the nodes that can be reached without reading a byte, except forks. They
  /// are sorted.
  Ids closure(Ids ids) const;

  /// Classes of bytes that lead out of the same nodes: for each byte, the first byte of its class.
  std::array<unsigned, 256> byte_classes() const;

 private:
  Id add_node(Node node);
  /// Adds nodes that lead through `regex` to `next`.
  Id add(const Regex& regex, Id next);
  Id add_repeat(const Regex& regex, Id next);
  Id add_characters(const std::u32string& characters, Id next);

  std::vector<Node> nodes_;
  std::size_t calls_{};
  Id start_{};
};

}  // namespace inferwire::inline v0_1::engine
