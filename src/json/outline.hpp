/// \file
/// Where the strings of a JSON text are, by its bytes alone: the text may be cut, or no JSON at all.
#pragma once

#include <string_view>

namespace inferwire::inline v0_1::json {

/// Shows each byte to `see(char, bool in_string)` until that says false. Quotes are in their string.
template <class See>
constexpr void each_byte(std::string_view text, See see) {
  bool in_string = false;
  bool escaped = false;
  for (const char c : text) {
    const bool quote = c == '"' && !escaped;
    if (!see(c, in_string || quote)) return;
    escaped = in_string && c == '\\' && !escaped;
    if (quote) in_string = !in_string;
  }
}

}  // namespace inferwire::inline v0_1::json
