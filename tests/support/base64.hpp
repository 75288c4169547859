/// \file
/// Base64 for fixtures.
#pragma once

#include <string>
#include <string_view>

namespace inferwire_test {

/// The bytes behind `text` (RFC 4648, with padding or without). Fixtures are trusted: nothing is checked.
inline std::string decode_base64(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  int bits = 0;
  for (const char c : text) {
    const auto value = alphabet.find(c);
    if (value == alphabet.npos) break;
    word = (word << 6 | static_cast<unsigned>(value)) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 0xFF);
    }
  }
  return bytes;
}

}  // namespace inferwire_test
