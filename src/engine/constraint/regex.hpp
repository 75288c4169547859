/// \file
/// Regular expressions of JSON schemas, parsed into trees.
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
    sequence,    ///< all `parts`, one after another; no parts: the empty text
    choice,      ///< one of `parts`
    repeat,      ///< the only part, `least` to `most` times
    all,         ///< texts that every one of `parts` matches; only at the root
  };
  static constexpr int unlimited = -1;

  Kind kind{Kind::sequence};
  std::u32string characters{};
  std::vector<Regex> parts{};
  int least{};
  int most{unlimited};

  /// Parses the syntax that ECMAScript has in common with most other languages. The result, which is matched
  /// against whole texts, matches no more than the expression does, but sometimes less: `.` and negated
  /// classes match only printable ASCII except quotes and backslashes. Returns the reason if it cannot be
  /// parsed: lookaround other than lookahead at the start, back references, anchors inside the expression
  /// and Unicode properties are not supported.
  static std::variant<Regex, std::string> parse(std::string_view utf8);

  /// An expression that matches what both expressions match.
  static std::string both(const std::string& a, const std::string& b);
};

}  // namespace inferwire::inline v0_1::engine
