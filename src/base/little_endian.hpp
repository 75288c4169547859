/// \file
/// Floats as bytes, the lowest first, whatever order this machine has: in base64 and in NumPy's files.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace inferwire::inline v0_1 {

static_assert(sizeof(float) == sizeof(std::uint32_t));

/// Appends the bytes of `numbers`.
inline void append_little_endian(std::string& out, std::span<const float> numbers) {
  out.reserve(out.size() + numbers.size_bytes());
  for (const float number : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(bits >> shift & 0xFF);
  }
}

/// The number with the four bytes at `bytes`.
inline float little_endian_float(const unsigned char* bytes) noexcept {
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) bits |= std::uint32_t{bytes[i]} << (8 * i);
  return std::bit_cast<float>(bits);
}

/// Reads `numbers`, whose memory holds their bytes, in place.
inline void read_little_endian(std::span<float> numbers) noexcept {
  if constexpr (std::endian::native == std::endian::little) return;
  for (float& number : numbers) number = little_endian_float(reinterpret_cast<const unsigned char*>(&number));
}

}  // namespace inferwire::inline v0_1
