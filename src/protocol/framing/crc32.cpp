#include "protocol/framing/crc32.hpp"

#include <array>
#include <cstddef>

namespace inferwire::inline v0_1::protocol {

namespace {

// Eight bytes per step ("slicing by 8", Kounavis and Berry, 2005): table k holds the effect of a byte that is
// followed by k zero bytes.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

Tables make_tables() noexcept {
  Tables out{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    out[0][byte] = crc;
  }
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t k = 1; k < 8; ++k) {
      out[k][byte] = (out[k - 1][byte] >> 8U) ^ out[0][out[k - 1][byte] & 0xFFU];
    }
  }
  return out;
}

/// Reads four bytes, the first one lowest, regardless of the machine's byte order.
std::uint32_t little_endian(const char* p) noexcept {
  const auto byte = [p](int i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(p[i])); };
  return byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) noexcept {
  static const Tables tables = make_tables();  // 8 KB, which few programs need
  std::uint32_t crc = ~before;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    const auto low = crc ^ little_endian(p);
    const auto high = little_endian(p + 4);
    crc = tables[7][low & 0xFFU] ^ tables[6][low >> 8U & 0xFFU] ^ tables[5][low >> 16U & 0xFFU] ^
          tables[4][low >> 24U] ^ tables[3][high & 0xFFU] ^ tables[2][high >> 8U & 0xFFU] ^
          tables[1][high >> 16U & 0xFFU] ^ tables[0][high >> 24U];
  }
  for (; left > 0; --left, ++p) {
    crc = (crc >> 8U) ^ tables[0][(crc ^ static_cast<unsigned char>(*p)) & 0xFFU];
  }
  return ~crc;
}

}  // namespace inferwire::inline v0_1::protocol
