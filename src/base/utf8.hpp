/// \file
/// UTF-8: decoding, truncating and counting characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::utf8 {

/// Replaces bytes that do not form a character: U+FFFD.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// What the first byte of a character requires of the others (Unicode, table 3-7): no surrogates, no overlong
/// forms, nothing above U+10FFFF.
struct Lead {
  std::uint8_t length;        ///< bytes of the character; 0: not a first byte
  std::uint8_t second_least;  ///< the range of its second byte; later ones are 80..BF
  std::uint8_t second_most;

  friend bool operator==(const Lead&, const Lead&) = default;

  /// Whether `byte` may be at index `at` of the character.
  constexpr bool allows(std::size_t at, unsigned char byte) const noexcept {
    return at == 1 ? byte >= second_least && byte <= second_most : byte >= 0x80 && byte <= 0xBF;
  }
};

constexpr Lead lead(unsigned char byte) noexcept {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

/// The first character of a text.
struct Character {
  enum class Kind : std::uint8_t { whole, unfinished, invalid };
  Kind kind;
  std::size_t length;  ///< bytes of the character, or of what one U+FFFD replaces
};

/// Reads the first character of `text`, which is not empty.
constexpr Character first_character(std::string_view text) noexcept {
  const Lead first = lead(static_cast<unsigned char>(text[0]));
  if (first.length == 0) return {Character::Kind::invalid, 1};
  for (std::size_t at = 1; at < first.length; ++at) {
    if (at == text.size()) return {Character::Kind::unfinished, at};
    if (!first.allows(at, static_cast<unsigned char>(text[at]))) return {Character::Kind::invalid, at};
  }
  return {Character::Kind::whole, first.length};
}

/// The code point of one whole character.
constexpr char32_t code_point(std::string_view character) noexcept {
  constexpr unsigned char bits_of_lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(character[0]) & bits_of_lead[character.size()];
  for (const char c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

/// Appends the code point in UTF-8.
inline void append(std::string& out, char32_t code_point) {
  char bytes[4];
  std::size_t size = 0;
  const auto put = [&](char32_t byte) { bytes[size++] = static_cast<char>(byte); };
  const auto put_tail = [&](unsigned shift) { put(0x80U | ((code_point >> shift) & 0x3FU)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | (code_point >> 6U));
    put_tail(0);
  } else if (code_point < 0x10000) {
    put(0xE0U | (code_point >> 12U));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xF0U | (code_point >> 18U));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
  out.append(bytes, size);
}

/// Whether this is not a continuation byte.
constexpr bool is_first_byte(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// The longest prefix of `text` of at most `most` bytes that does not end inside a character.
constexpr std::string_view whole_characters(std::string_view text, std::size_t most) noexcept {
  if (text.size() <= most) return text;
  while (most > 0 && !is_first_byte(text[most])) --most;
  return text.substr(0, most);
}

/// The number of characters that begin in `text`.
constexpr std::size_t characters_in(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(text, is_first_byte));
}

}  // namespace inferwire::inline v0_1::utf8
