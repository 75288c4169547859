/// \file
/// Percent-encoding in URLs, as in "%20".
#pragma once

#include "base/ascii.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// The value of a hexadecimal digit; -1 for other characters.
constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A percent sign that does not begin an escape is kept.
inline std::string percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0;
    if (!escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return out;
}

/// Whether it need not be escaped anywhere in a URL.
constexpr bool is_unreserved(char c) noexcept {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/// `text` as one segment of a path: everything but unreserved characters is escaped. The segments "." and
/// "..", which servers would resolve, are escaped as well, though a server may still resolve them.
inline std::string percent_encode_segment(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  const bool dots = text == "." || text == "..";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c) && !dots) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += hex[byte >> 4];
      out += hex[byte & 15];
    }
  }
  return out;
}

}  // namespace inferwire::inline v0_1
