/// \file
/// HTTP over libcurl.
#pragma once

#include <memory>
#include <string>

#include "inferwire/log.hpp"
#include "inferwire/network.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::http {

class CurlPool;

}  // namespace inferwire::inline v0_1::http

// A public header names it: a namespace "http" there would collide with those of who uses our namespace.
namespace inferwire::inline v0_1::detail {

class CurlTransport final : public Transport {
 public:
  CurlTransport(NetworkOptions options, std::shared_ptr<Log> wire);
  /// Whoever else has the pool, exchanges and event loops, needs nothing of what waits in it.
  ~CurlTransport() override;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;
  std::unique_ptr<Multiplexer> multiplexer() override;
  bool is_remote() const noexcept override { return true; }

  /// `transport`, where it is one of these.
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

/// A transport with a pool of warm connections of its own. It starts no thread: an exchange runs on the
/// thread that drives it, over a reactor that it borrows for its life.
///
/// What goes over the wire is the request as it is given: of its own libcurl adds Host, Content-Length and
/// the connection's headers. No cookies, no compression; http and https only. There is no timer in here but
/// the pool's: who drives decides how long.
/// `wire` hears, at the level debug, what libcurl has to say; absent: nobody does.
std::shared_ptr<Transport> make_curl_transport(NetworkOptions options = {},
                                               std::shared_ptr<Log> wire = nullptr);

/// The library at work, as a User-Agent names it: "libcurl/8.14.1".
std::string curl_product();

}  // namespace inferwire::inline v0_1::http
