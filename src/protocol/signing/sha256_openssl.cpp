// Replaces sha256_none.cpp in builds with INFERWIRE_SIGV4.
#include "protocol/signing/sha256.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace inferwire::inline v0_1::protocol {

bool has_sha256() noexcept { return true; }

namespace {

template <class Digest>
std::optional<Digest> digest_of(std::string_view bytes, const EVP_MD* algorithm) {
  Digest out{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, algorithm, nullptr) != 1) return {};
  return out;
}

}  // namespace

std::optional<Sha256> sha256(std::string_view bytes) { return digest_of<Sha256>(bytes, EVP_sha256()); }

std::optional<Sha1> sha1(std::string_view bytes) { return digest_of<Sha1>(bytes, EVP_sha1()); }

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
