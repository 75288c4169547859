/// \file
/// ASCII characters of protocols, independent of the locale.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::ascii {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_letter(char c) noexcept { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }

inline std::string to_lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return to_lower(c); });
  return out;
}

inline bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) { return x == y || to_lower(x) == to_lower(y); });
}

inline bool starts_with_ignoring_case(std::string_view text, std::string_view beginning) noexcept {
  return equal_ignoring_case(text.substr(0, beginning.size()), beginning);
}

/// The position of `wanted` at or after `from`; npos if it does not occur.
inline std::size_t find_ignoring_case(std::string_view text, std::string_view wanted,
                                      std::size_t from = 0) noexcept {
  const auto same = [](char x, char y) { return x == y || to_lower(x) == to_lower(y); };
  const auto rest = text.substr(std::min(from, text.size()));
  // Clang 15 does not compile what std::ranges::search of libstdc++ 12 returns.
  const auto found = std::search(rest.begin(), rest.end(), wanted.begin(), wanted.end(), same);
  if (found == rest.end() && !wanted.empty()) return text.npos;
  return text.size() - static_cast<std::size_t>(rest.end() - found);
}

/// Removes the text up to the first separator, or to the end, and returns it without the separator.
constexpr std::string_view take_until(std::string_view& text, std::string_view separator) noexcept {
  const auto part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + separator.size()));
  return part;
}

/// Removes leading and trailing spaces and tabs: the optional white space of RFC 9110.
constexpr std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace inferwire::inline v0_1::ascii
