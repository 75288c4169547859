/// \file
/// Strings as JSON writes them: escaping, unescaping, UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::json {

/// What some programs put in front of UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

/// What `plain_run` saw.
struct Run {
  const char* end{};  ///< the first byte that has to be escaped, or the end of the text
  /// No byte above 0x7F before `end`; may be false though the byte lies up to 15 behind it.
  bool ascii{true};
};

/// The longest piece from `begin` on that JSON writes as it is: no quote, no backslash, no control character.
Run plain_run(const char* begin, const char* end) noexcept;

/// The place where `text` stops being UTF-8; std::string_view::npos when it is UTF-8 all through. No
/// surrogates, no overlong forms, nothing above U+10FFFF.
std::size_t invalid_utf8(std::string_view text) noexcept;

/// Appends `text` in quotes and escaped; false, with `out` unspecified, when it is not UTF-8.
bool append_quoted(std::string& out, std::string_view text);

/// Appends a string, with U+FFFD for each byte that is not UTF-8.
void append_string(std::string& out, std::string_view text);

/// Appends what the inside of a JSON string stands for; a lone surrogate becomes U+FFFD. False when an escape
/// is not one that JSON knows.
bool append_unescaped(std::string& out, std::string_view inside);

}  // namespace inferwire::inline v0_1::json
