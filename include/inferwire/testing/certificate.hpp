/// \file
/// Certificates for tests, valid and invalid, generated on demand.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::testing {

/// A certificate and its private key, both as PEM. For tests only: the key is not protected.
struct Certificate {
  std::string pem{};
  std::string key_pem{};
};

/// The contents of a certificate, valid or not.
struct CertificateOptions {
  /// Names and addresses of the servers for which it is valid.
  std::vector<std::string> hosts{"localhost", "127.0.0.1", "::1"};
  /// The start and end of its validity, relative to now. For an expired certificate, set `until` to -1 h.
  std::chrono::seconds from{-std::chrono::hours(48)};
  std::chrono::seconds until{std::chrono::hours(24)};
};

/// Makes a certificate with a new key, signed by `issuer`; without an issuer it is self-signed and may sign
/// others. A client trusts certificates signed by an issuer if it trusts the issuer's `pem`, alone or
/// concatenated with those of other issuers. Errors: unsupported (a build without OpenSSL), config (the
/// issuer cannot be read, a host is not a valid name, a time is beyond the year 9999).
INFERWIRE_API Result<Certificate> make_certificate(const CertificateOptions& options = {},
                                                   const Certificate* issuer = nullptr);

}  // namespace inferwire::inline v0_1::testing
