// Stands for sha256_none.cpp in builds with INFERWIRE_SIGV4.
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "protocol/sha256.hpp"

namespace inferwire::inline v0_1::protocol {

bool has_sha256() noexcept { return true; }

std::optional<Sha256> sha256(std::string_view bytes) {
  Sha256 out{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, EVP_sha256(), nullptr) != 1) return {};
  return out;
}

std::optional<Sha256> hmac_sha256(std::string_view key, std::string_view bytes) {
  Sha256 out{};
  unsigned size = 0;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data, bytes.size(), out.data(), &size) ==
      nullptr) {
    return {};
  }
  return out;
}

}  // namespace inferwire::inline v0_1::protocol
