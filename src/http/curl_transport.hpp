/// \file
/// HTTP over libcurl.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/log.hpp"
#include "inferwire/network.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::http {

class CurlPool;

}  // namespace inferwire::inline v0_1::http

// Declared in a public header: a namespace "http" there could collide with names of programs that use ours.
namespace inferwire::inline v0_1::detail {

/// It gives no multiplexer, although http::make_multiplexer makes one for its pool: a virtual function would
/// bring that into every program, also those without an event loop.
class CurlTransport : public Transport {
 public:
  CurlTransport(NetworkOptions options, std::shared_ptr<Log> wire, std::string ca_file);
  /// Retires the pool: other owners, exchanges and event loops, do not need its idle reactors.
  ~CurlTransport() override;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;
  bool is_remote() const noexcept override { return true; }

  /// Why its options cannot be used; nothing if they can.
  const std::optional<Error>& problem() const noexcept;
  /// Whether it has a log for libcurl's messages.
  bool logs() const noexcept;
  /// The file that `ca_file_variable` names, if it is ignored because it could not be opened; else empty.
  const std::string& ignored_ca_file() const noexcept;
  /// `transport`, if it is a CurlTransport; else nullptr.
  static const CurlTransport* in(const Transport& transport) noexcept {
    return transport.as_curl_transport();
  }
  const std::shared_ptr<http::CurlPool>& pool() const noexcept { return pool_; }

 private:
  const CurlTransport* as_curl_transport() const noexcept override { return this; }

  std::shared_ptr<http::CurlPool> pool_;
};

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::http {

/// The environment variable with a file of certificates to trust instead of libcurl's default file, as it is
/// for OpenSSL, if the options do not say which to trust.
inline constexpr const char* ca_file_variable = "SSL_CERT_FILE";

/// A transport with its own pool of warm connections. It starts no threads: an exchange runs on the thread
/// that drives it, over a reactor that it borrows for its lifetime.
///
/// The request is sent as given: libcurl adds only Host, Content-Length and the connection's headers. No
/// cookies, no compression; http and https only. The only timer here is the pool's: the driver decides how
/// long an exchange may take. `wire` receives libcurl's messages, at level debug; absent: they are not
/// logged. `ca_file` is the value of `ca_file_variable`; empty: not set.
///
/// It is a CurlTransport that gives a multiplexer.
std::shared_ptr<Transport> make_curl_transport(NetworkOptions options = {},
                                               std::shared_ptr<Log> wire = nullptr, std::string ca_file = {});

/// The name and version of libcurl, for a User-Agent: "libcurl/8.14.1".
std::string curl_product();

}  // namespace inferwire::inline v0_1::http
