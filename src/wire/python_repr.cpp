#include "wire/python_repr.hpp"

#include "json/scanner.hpp"

#include <cstddef>

namespace inferwire::inline v0_1::wire {

namespace {

bool is_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The end of the string whose opening quote is at `at`: after its closing quote, or at the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t at) noexcept {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

/// Resolves the escapes of quotes, backslashes and white space inside a string; others are left unchanged.
std::string unescaped(std::string_view inside) {
  std::string out;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] != '\\' || at + 1 == inside.size()) {
      out += inside[at];
      continue;
    }
    switch (const char c = inside[++at]) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case '\\':
      case '\'':
      case '"': out += c; break;
      default: (out += '\\') += c; break;
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> repr_field(std::string_view text, std::string_view name) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\'' || text[at] == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (!is_name(text[at])) {
      ++at;
      continue;
    }
    const auto begin = at;
    while (at < text.size() && is_name(text[at])) ++at;
    if (text.substr(begin, at - begin) != name || at + 1 >= text.size() || text[at] != '=') continue;
    ++at;
    if (text[at] == '\'' || text[at] == '"') {
      const auto end = end_of_string(text, at);
      const bool closed = end > at + 1 && text[end - 1] == text[at];
      return unescaped(text.substr(at + 1, end - at - 1 - (closed ? 1 : 0)));
    }
    const auto value = text.substr(at, text.find_first_of(",) ", at) - at);
    return json::integer_of(value) ? std::optional(std::string(value)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1::wire
