/// \file
/// SHA-256 and HMAC over it, from OpenSSL's libcrypto; not every build has them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::protocol {

using Sha256 = std::array<unsigned char, 32>;

/// Whether this build has them (the CMake option INFERWIRE_SIGV4).
bool has_sha256() noexcept;

/// Nothing when this build has none, or libcrypto fails.
std::optional<Sha256> sha256(std::string_view bytes);
std::optional<Sha256> hmac_sha256(std::string_view key, std::string_view bytes);

inline std::string_view view(const Sha256& digest) noexcept {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace inferwire::inline v0_1::protocol
