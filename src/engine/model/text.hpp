/// \file
/// Splits text into the words within which the tokenizer merges bytes.
#pragma once

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

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Locale-independent; changes ASCII letters only.
constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Locale-independent; true for every byte of a non-ASCII character.
constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace inferwire::inline v0_1::engine
