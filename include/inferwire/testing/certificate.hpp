/// \file
/// Certificates for tests, good ones and bad ones, made on the spot.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::testing {

/// A certificate and its private key, both as PEM. For tests only: the key is not protected.
struct Certificate {
  std::string pem{};
  std::string key_pem{};
};

/// What a certificate says, and what is wrong with it.
struct CertificateOptions {
  /// Names and addresses of the servers that it is for.
  std::vector<std::string> hosts{"localhost", "127.0.0.1", "::1"};
  /// The begin and end of its validity, relative to now. An expired one has `until` -1 h.
  std::chrono::seconds from{-std::chrono::hours(48)};
  std::chrono::seconds until{std::chrono::hours(24)};
};

/// Makes a certificate with a key of its own, signed by `issuer`; without one it is signed by itself and may
/// sign others. A client trusts what an issuer has signed if it trusts the issuer's `pem`, alone or
/// concatenated with those of other issuers. Errors: unsupported (a build without OpenSSL), config (the
/// issuer cannot be read, a host is not a name, a time is beyond the year 9999).
INFERWIRE_API Result<Certificate> make_certificate(const CertificateOptions& options = {},
                                                   const Certificate* issuer = nullptr);

}  // namespace inferwire::inline v0_1::testing
