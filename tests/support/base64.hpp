/// \file
/// Base64 for fixtures, independent of the library's own.
#pragma once

#include <string>
#include <string_view>

namespace inferwire_test {

inline std::string from_base64(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = letters.find(c);
    if (digit == std::string_view::npos) continue;
    bits = (bits << 6U | static_cast<unsigned>(digit)) & 0xFFFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return out;
}

}  // namespace inferwire_test
