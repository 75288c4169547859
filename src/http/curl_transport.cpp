#include "http/curl_transport.hpp"

#include <curl/curl.h>

#include <utility>

#include "http/curl_exchange.hpp"
#include "http/curl_multiplexer.hpp"
#include "http/curl_pool.hpp"

namespace inferwire::inline v0_1::http {

namespace {

class CurlTransport final : public Transport {
 public:
  CurlTransport(NetworkOptions options, std::shared_ptr<Log> wire)
      : pool_(std::make_shared<CurlPool>(std::move(options), std::move(wire))) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return CurlExchange::start(pool_, std::move(request), sink, options);
  }

  void wake() noexcept override { pool_->wake(); }

  std::unique_ptr<Multiplexer> multiplexer() override {
    auto poller = make_poller();
    if (!poller) return nullptr;
    return std::make_unique<CurlMultiplexer>(pool_, std::move(poller));
  }

 private:
  std::shared_ptr<CurlPool> pool_;
};

}  // namespace

std::shared_ptr<Transport> make_curl_transport(NetworkOptions options, std::shared_ptr<Log> wire) {
  return std::make_shared<CurlTransport>(std::move(options), std::move(wire));
}

std::string curl_product() { return std::string("libcurl/") + curl_version_info(CURLVERSION_NOW)->version; }

}  // namespace inferwire::inline v0_1::http

namespace inferwire::inline v0_1 {

std::shared_ptr<Transport> network_transport(NetworkOptions options) {
  return http::make_curl_transport(std::move(options));
}

}  // namespace inferwire::inline v0_1
