/// \file
/// HTTP over libcurl.
#pragma once

#include <memory>
#include <string>

#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

struct CurlOptions {
  /// A file of certificates to trust (PEM); empty: libcurl's own. Certificates are always verified.
  std::string ca_file{};
};

/// A transport with a pool of warm connections of its own. It starts no thread: an exchange runs on the
/// thread that drives it, over a reactor that it borrows for its life.
///
/// What goes over the wire is the request as it is given: of its own libcurl adds Host, Content-Length and
/// the connection's headers. No redirects, no cookies, no compression; http and https only; HTTP/1.1, since
/// one exchange at a time has a connection and HTTP/2 would only cost CPU. Proxies are those of the
/// environment, as libcurl reads it. There is no timer in here but the pool's: who drives decides how long.
std::shared_ptr<Transport> make_curl_transport(CurlOptions options = {});

/// The library at work, as a User-Agent names it: "libcurl/8.14.1".
std::string curl_product();

}  // namespace inferwire::inline v0_1::http
