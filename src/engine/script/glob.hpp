/// \file
/// Patterns of names and paths.
#pragma once

#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether the whole of `text` fits: "*" stands for any text, "?" for one byte, all else for itself. Linear
/// but for patterns of many stars, where it is the product of the lengths.
constexpr bool fits(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0;
  auto star = pattern.npos;  // the last one met, and where the text that it stands for ends
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
