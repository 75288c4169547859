/// \file
/// Regular expressions of JSON schemas, read into trees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

struct Regex {
  enum class Kind : std::uint8_t {
    characters,  ///< one of `characters`
    sequence,    ///< all `parts`, one after another; none: nothing
    choice,      ///< one of `parts`
    repeat,      ///< the only part, `least` to `most` times
    all,         ///< what each of `parts` matches; only as a whole
  };
  static constexpr int unlimited = -1;

  Kind kind{Kind::sequence};
  std::u32string characters{};
  std::vector<Regex> parts{};
  int least{};
  int most{unlimited};

  /// Reads what ECMAScript's and most other languages' expressions have in common. What comes out matches no
  /// more than the expression does, from the first to the last character of a text, but sometimes less: `.`
  /// and what a class excludes stand for printable ASCII, quotes and backslashes left out. A string says what
  /// cannot be read: lookaround but for lookahead from the start, back references, anchors inside of it,
  /// properties of Unicode.
  static std::variant<Regex, std::string> parse(std::string_view utf8);

  /// An expression that matches what both match.
  static std::string both(const std::string& a, const std::string& b);
};

}  // namespace inferwire::inline v0_1::engine
