/// \file
/// Which certificates are trusted if the options do not say it.
#pragma once

#include "inferwire/network.hpp"

#include <string>

namespace inferwire::inline v0_1::http {

/// The environment variable with a file of certificates to trust instead of libcurl's default file, as it is
/// for OpenSSL.
inline constexpr const char* ca_file_variable = "SSL_CERT_FILE";

/// Whether the options leave it to libcurl which certificates to trust.
bool trusts_default(const NetworkOptions& options) noexcept;
/// Whether this program can open the file; one that it cannot open is ignored.
bool can_open_ca_file(const std::string& path);

}  // namespace inferwire::inline v0_1::http
