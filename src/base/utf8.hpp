/// \file
/// Cuts and counts UTF-8 by its characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::utf8 {

/// Whether a character may begin with this byte: all but those that continue one.
constexpr bool is_first_byte(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// The beginning of `text`: at most `most` bytes, not cut inside of a character.
constexpr std::string_view whole_characters(std::string_view text, std::size_t most) noexcept {
  if (text.size() <= most) return text;
  while (most > 0 && !is_first_byte(text[most])) --most;
  return text.substr(0, most);
}

/// The characters that begin in `text`.
constexpr std::size_t characters_in(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(text, is_first_byte));
}

}  // namespace inferwire::inline v0_1::utf8
