/// \file
/// Strings that match a regular expression, read byte by byte as written in JSON.
#pragma once

#include "engine/constraint/cost.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
  /// The reason if compiling takes too much work.
  static constexpr std::string_view too_complex = "it is too complex";
  /// The reason if that is clear before any state is made.
  static constexpr std::string_view too_large = "it is too complex: it has too many parts";
  /// The reason if there is no such string.
  static constexpr std::string_view unmatched =
      "it matches no string of the length asked for that can be written";

  /// Returns the reason if there is no pattern: the expression is not supported (see Regex), matches no
  /// string of this length, or takes more than `most_states` states, including those of its parts. Adds to
  /// `work` the number of states made, and that of states that take as long as parsing the expression and
  /// finding where states lead.
  static std::variant<Pattern, std::string> compile(std::string_view regex, StringLength length,
                                                    std::size_t most_states, std::size_t* work = nullptr);

  State next(State state, char byte) const noexcept {
    return rows_[state].next[static_cast<unsigned char>(byte)];
  }
  bool accepts(State state) const noexcept { return rows_[state].left == 0; }
  /// The fewest bytes that complete a string; 0 if it is complete.
  Cost left(State state) const noexcept { return rows_[state].left; }
  std::size_t states() const noexcept { return rows_.size(); }

 private:
  struct Row {
    std::array<State, 256> next{};
    Cost left{unreachable};
  };
  friend class SubsetConstruction;

  /// The strings that both accept. Nothing if there are too many states.
  static std::optional<Pattern> product(const Pattern& a, const Pattern& b, std::size_t most_states);
  /// Goes backwards from accepting states; states that lead to none are replaced by `nowhere`.
  void find_costs();

  std::vector<Row> rows_;
};

}  // namespace inferwire::inline v0_1::engine
