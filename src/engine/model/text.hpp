/// \file
/// Splits text into the words within which the tokenizer merges bytes.
#pragma once

#include "base/ascii.hpp"

#include <cstddef>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// The longest word in bytes. Merging takes time quadratic in a word's length, so a megabyte without a
/// space must not be one word.
inline constexpr std::size_t longest_word = 48;

/// Length of the word that `text` begins with; at least 1, or 0 for an empty text. The words of a text,
/// concatenated, are the text.
///
/// A word is a run of letters (apostrophes and all bytes of non-ASCII characters count as letters),
/// of up to three digits, of line ends, of spaces, or of one repeated other character. One space
/// directly before a letter, digit or sign belongs to the word that follows it.
std::size_t word_length(std::string_view text) noexcept;

/// Locale-independent; true for every byte of a non-ASCII character.
constexpr bool is_letter(char c) noexcept {
  return ascii::is_letter(c) || c == '\'' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace inferwire::inline v0_1::engine
