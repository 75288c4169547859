#include "http/curl_transport.hpp"

#include "http/curl_exchange.hpp"
#include "http/curl_pool.hpp"

#include <curl/curl.h>

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

const std::optional<Error>& CurlTransport::problem() const noexcept { return pool_->network().problem(); }
bool CurlTransport::logs() const noexcept { return pool_->wire() != nullptr; }
const std::string& CurlTransport::ignored_ca_file() const noexcept {
  return pool_->network().ignored_ca_file();
}

}  // namespace inferwire::inline v0_1::detail

namespace inferwire::inline v0_1::http {

std::string curl_product() { return std::string("libcurl/") + curl_version_info(CURLVERSION_NOW)->version; }

}  // namespace inferwire::inline v0_1::http
