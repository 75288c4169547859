#include "json/base64.hpp"

#include <array>
#include <cstdint>

namespace inferwire::inline v0_1::json {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bits that a character adds to a group of three bytes, by its position in the group of four; the first
/// byte is the lowest. The bits above are set for characters that are not digits.
constexpr std::uint32_t no_digit = 0xFF000000U;
using Places = std::array<std::array<std::uint32_t, 256>, 4>;
Places make_places() noexcept {
  Places table{};
  for (auto& place : table) place.fill(no_digit);
  for (std::uint32_t i = 0; i < 64; ++i) {
    const auto c = static_cast<unsigned char>(alphabet[i]);
    table[0][c] = i << 2;
    table[1][c] = i >> 4 | (i & 15) << 12;
    table[2][c] = (i >> 2) << 8 | (i & 3) << 22;
    table[3][c] = i << 16;
  }
  return table;
}

unsigned char at(std::string_view text, std::size_t i) noexcept {
  return static_cast<unsigned char>(text[i]);
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto left = bytes.size() - i;
    std::uint32_t group = std::uint32_t{at(bytes, i)} << 16;
    if (left > 1) group |= std::uint32_t{at(bytes, i + 1)} << 8;
    if (left > 2) group |= at(bytes, i + 2);
    out += alphabet[group >> 18];
    out += alphabet[group >> 12 & 63];
    out += left > 1 ? alphabet[group >> 6 & 63] : '=';
    out += left > 2 ? alphabet[group & 63] : '=';
  }
}

std::optional<std::size_t> base64_size(std::string_view text) noexcept {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  return text.size() / 4 * 3 - padding;
}

bool base64_decode(std::string_view text, unsigned char* out) noexcept {
  static const Places places = make_places();  // 4 KB, which programs without embeddings do not need
  const auto size = base64_size(text);
  if (!size) return false;
  const auto group = [text](std::size_t i) {
    return places[0][at(text, i)] | places[1][at(text, i + 1)] | places[2][at(text, i + 2)] |
           places[3][at(text, i + 3)];
  };
  const auto whole = *size / 3;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < whole; ++i) {
    const auto bytes = group(4 * i);
    seen |= bytes;
    out[3 * i] = static_cast<unsigned char>(bytes);
    out[3 * i + 1] = static_cast<unsigned char>(bytes >> 8);
    out[3 * i + 2] = static_cast<unsigned char>(bytes >> 16);
  }
  if (const auto rest = *size % 3; rest != 0) {
    const auto i = 4 * whole;
    auto bytes = places[0][at(text, i)] | places[1][at(text, i + 1)];
    if (rest == 2) bytes |= places[2][at(text, i + 2)];
    seen |= bytes;
    out[3 * whole] = static_cast<unsigned char>(bytes);
    if (rest == 2) out[3 * whole + 1] = static_cast<unsigned char>(bytes >> 8);
  }
  return (seen & no_digit) == 0;
}

std::optional<std::string> base64_decode(std::string_view text) {
  const auto size = base64_size(text);
  if (!size) return std::nullopt;
  std::string out(*size, '\0');
  if (!base64_decode(text, reinterpret_cast<unsigned char*>(out.data()))) return std::nullopt;
  return out;
}

}  // namespace inferwire::inline v0_1::json
