/// \file
/// Removes control characters from foreign text: in a log they look like further lines, and terminals obey
/// them.
#pragma once

#include "base/utf8.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::utf8 {

/// Whether it is a control character: C0, DEL or C1 (U+0080 to U+009F), or a single byte 80..9F, which some
/// terminals treat as C1. `character` is a complete character, or a byte that belongs to none.
constexpr bool is_control(std::string_view character) noexcept {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first < 0x20 || (first >= 0x7F && first < 0xA0);
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

/// `text` with every control character that is not in `kept` replaced by `instead`.
inline std::string without_controls(std::string_view text, std::string_view instead,
                                    std::string_view kept = {}) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [kind, length] = first_character(text);
    const auto character = text.substr(0, kind == Character::Kind::whole ? length : 1);
    const bool stays = !is_control(character) || kept.find(character) != kept.npos;
    out += stays ? character : instead;
    text.remove_prefix(character.size());
  }
  return out;
}

/// A text as one line of a log.
inline std::string one_line(std::string_view text) { return without_controls(text, " "); }

}  // namespace inferwire::inline v0_1::utf8
