/// \file
/// SHA-256 with its HMAC, and SHA-1, from OpenSSL's libcrypto; not in every build.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

using Sha256 = std::array<unsigned char, 32>;
/// For file names only: SHA-1 is no longer secure.
using Sha1 = std::array<unsigned char, 20>;

/// Whether this build has these functions (the CMake option INFERWIRE_SIGV4).
bool has_sha256() noexcept;

/// Returns nothing if this build has no SHA-256, or libcrypto fails.
std::optional<Sha256> sha256(std::string_view bytes);
std::optional<Sha256> hmac_sha256(std::string_view key, std::string_view bytes);
std::optional<Sha1> sha1(std::string_view bytes);

inline std::string_view view(const Sha256& digest) noexcept {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// The digest in lower-case hexadecimal.
template <std::size_t Size>
std::string hex(const std::array<unsigned char, Size>& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const auto byte : digest) {
    out += digits[byte >> 4U];
    out += digits[byte & 0xFU];
  }
  return out;
}

}  // namespace inferwire::inline v0_1::protocol
