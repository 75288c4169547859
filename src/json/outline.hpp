/// \file
/// Finds the strings in a JSON text by its bytes alone: the text may be cut off or invalid.
#pragma once

#include <string_view>

namespace inferwire::inline v0_1::json {

/// Calls `see(char, bool in_string)` for each byte until it returns false. Quotes belong to their string.
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
