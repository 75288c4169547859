#include "protocol/base64.hpp"

#include <array>
#include <cstdint>

namespace inferwire::inline v0_1::protocol {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr auto digits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(no_digit);
  for (std::uint8_t i = 0; i < 64; ++i) table[static_cast<unsigned char>(alphabet[i])] = i;
  return table;
}();

std::uint32_t byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto left = bytes.size() - i;
    std::uint32_t group = byte(bytes, i) << 16;
    if (left > 1) group |= byte(bytes, i + 1) << 8;
    if (left > 2) group |= byte(bytes, i + 2);
    out += alphabet[group >> 18];
    out += alphabet[group >> 12 & 63];
    out += left > 1 ? alphabet[group >> 6 & 63] : '=';
    out += left > 2 ? alphabet[group & 63] : '=';
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool pad = last && k >= 4 - padding;
      const auto digit = pad ? std::uint8_t{0} : digits[byte(text, i + k)];
      if (digit == no_digit) return std::nullopt;
      group = group << 6 | digit;
    }
    out += static_cast<char>(group >> 16);
    if (!last || padding < 2) out += static_cast<char>(group >> 8 & 255);
    if (!last || padding < 1) out += static_cast<char>(group & 255);
  }
  return out;
}

}  // namespace inferwire::inline v0_1::protocol
