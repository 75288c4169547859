// Replaces sha256_openssl.cpp in builds without INFERWIRE_SIGV4.
#include "protocol/signing/sha256.hpp"

namespace inferwire::inline v0_1::protocol {

bool has_sha256() noexcept { return false; }
std::optional<Sha256> sha256(std::string_view) { return std::nullopt; }
std::optional<Sha256> hmac_sha256(std::string_view, std::string_view) { return std::nullopt; }
std::optional<Sha1> sha1(std::string_view) { return std::nullopt; }

}  // namespace inferwire::inline v0_1::protocol
