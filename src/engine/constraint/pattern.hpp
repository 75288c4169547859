/// \file
/// The strings that match a regular expression, written byte by byte as JSON has them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/constraint/cost.hpp"

namespace inferwire::inline v0_1::engine {

/// How many characters a string may have.
struct StringLength {
  std::uint32_t least{0};
  std::uint32_t most{std::numeric_limits<std::uint32_t>::max()};
};

/// A finite automaton over the bytes between a string's quotes, escapes included. Immutable.
class Pattern {
 public:
  using State = std::uint16_t;
  /// The state that no byte leads out of, and in which no string ends.
  static constexpr State nowhere = 0;
  static constexpr State start = 1;
  /// Why there is no pattern after a lot of work.
  static constexpr std::string_view too_complex = "it is too complex";
  /// Why there is no pattern, seen before there were any states.
  static constexpr std::string_view too_large = "it is too complex: it has too many parts";
  /// Why there is none where there is no such string.
  static constexpr std::string_view unmatched =
      "it matches no string of the length asked for that can be written";

  /// A string says why there is none: the expression cannot be read (see Regex), matches no string of this
  /// length, or has more than `most_states` states, with those of all that it is put together from. Adds to
  /// `work` how many states were made on the way, with as many as it is to read the expression.
  static std::variant<Pattern, std::string> compile(std::string_view regex, StringLength length,
                                                    std::size_t most_states, std::size_t* work = nullptr);

  State next(State state, char byte) const noexcept {
    return rows_[state].next[static_cast<unsigned char>(byte)];
  }
  bool accepts(State state) const noexcept { return rows_[state].left == 0; }
  /// The fewest bytes that complete a string; 0 where it is complete.
  Cost left(State state) const noexcept { return rows_[state].left; }
  std::size_t states() const noexcept { return rows_.size(); }

 private:
  struct Row {
    std::array<State, 256> next{};
    Cost left{unreachable};
  };
  friend class SubsetConstruction;

  /// The strings of both. Nothing when there are too many states.
  static std::optional<Pattern> product(const Pattern& a, const Pattern& b, std::size_t most_states);
  /// Goes from the ends of strings backwards; what leads to no end is nowhere afterwards.
  void find_costs();

  std::vector<Row> rows_;
};

}  // namespace inferwire::inline v0_1::engine
