/// \file
/// Patterns of names and paths.
#pragma once

#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether all of `text` matches: "*" matches any text, "?" any byte, all else itself. Takes linear time or,
/// if a pattern has many stars, time proportional to the product of the lengths.
constexpr bool fits(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0;
  auto star = pattern.npos;  // the last one seen; `behind`: the end of the text it matches
  std::size_t behind = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace inferwire::inline v0_1::engine
