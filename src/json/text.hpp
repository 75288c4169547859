/// \file
/// The text of JSON strings: escaping, unescaping, UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// The mark that some programs put before UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

/// The result of `plain_run`.
struct Run {
  const char* end{};  ///< the first byte that has to be escaped, or the end of the text
  /// No byte above 0x7F before `end`; may be false if such a byte is up to 15 bytes after it.
  bool ascii{true};
};

/// The longest run from `begin` that needs no escaping: no quote, no backslash, no control character.
Run plain_run(const char* begin, const char* end) noexcept;

/// The position at which `text` stops being UTF-8; std::string_view::npos if all of it is UTF-8. No
/// surrogates, no overlong forms, nothing above U+10FFFF.
std::size_t invalid_utf8(std::string_view text) noexcept;

/// `text` with U+FFFD for each byte that is not UTF-8.
[[gnu::cold]] std::string as_utf8(std::string_view text);

/// Appends `text` in quotes and escaped; false, with `out` unspecified, if it is not UTF-8.
bool append_quoted(std::string& out, std::string_view text);

/// Appends a string, with U+FFFD for each byte that is not UTF-8.
void append_string(std::string& out, std::string_view text);

/// Appends the name of a member and its colon, and before them a comma unless it is its object's first.
inline void append_name(std::string& out, std::string_view name) {
  if (!out.ends_with('{')) out += ',';
  append_string(out, name);
  out += ':';
}

/// Appends the unescaped inside of a JSON string; a lone surrogate becomes U+FFFD. False for an escape that
/// JSON does not have.
bool append_unescaped(std::string& out, std::string_view inside);

}  // namespace inferwire::inline v0_1::json
