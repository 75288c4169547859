/// \file
/// Which certificates are trusted if the options do not say it.
#pragma once

#include "inferwire/network.hpp"

namespace inferwire::inline v0_1::http {

/// The environment variable with a file of certificates to trust instead of libcurl's default file, as it is
/// for OpenSSL.
inline constexpr const char* ca_file_variable = "SSL_CERT_FILE";

/// Whether the options leave it to libcurl which certificates to trust.
bool trusts_default(const NetworkOptions& options) noexcept;

}  // namespace inferwire::inline v0_1::http
