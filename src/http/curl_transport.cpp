#include "http/curl_transport.hpp"

#include "http/curl_exchange.hpp"
#include "http/curl_pool.hpp"
#include "http/default_trust.hpp"
#include "http/loop/curl_multiplexer.hpp"

#include <curl/curl.h>

#include <cstdlib>
#include <utility>

namespace inferwire::inline v0_1::detail {

CurlTransport::CurlTransport(NetworkOptions options, std::shared_ptr<Log> wire, std::string ca_file)
    : pool_(std::make_shared<http::CurlPool>(std::move(options), std::move(wire), std::move(ca_file))) {}

CurlTransport::~CurlTransport() { pool_->retire(); }

Result<std::unique_ptr<Exchange>> CurlTransport::start(HttpRequest request, Sink& sink,
                                                       const ExchangeOptions& options) {
  return http::CurlExchange::start(pool_, std::move(request), sink, options);
}

void CurlTransport::wake() noexcept { pool_->wake(); }

std::unique_ptr<Multiplexer> CurlTransport::multiplexer() {
  auto poller = http::make_poller();
  if (!poller) return nullptr;
  return std::make_unique<http::CurlMultiplexer>(pool_, std::make_shared<http::CurlHub>(std::move(poller)));
}

bool CurlTransport::logs() const noexcept { return pool_->wire() != nullptr; }
const std::string& CurlTransport::ignored_ca_file() const noexcept {
  return pool_->network().ignored_ca_file();
}

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::http {

std::shared_ptr<Transport> make_curl_transport(NetworkOptions options, std::shared_ptr<Log> wire,
                                               std::string ca_file) {
  return std::make_shared<detail::CurlTransport>(std::move(options), std::move(wire), std::move(ca_file));
}

std::string curl_product() { return std::string("libcurl/") + curl_version_info(CURLVERSION_NOW)->version; }

}  // namespace inferwire::inline v0_1::http

namespace inferwire::inline v0_1 {

std::shared_ptr<Transport> network_transport(NetworkOptions options, std::shared_ptr<Log> wire) {
  if (wire && wire->level() > LogLevel::debug) wire.reset();
  const char* const file = std::getenv(http::ca_file_variable);
  return http::make_curl_transport(std::move(options), std::move(wire), file != nullptr ? file : "");
}

}  // namespace inferwire::inline v0_1
