#include "http/loop/curl_multiplexer.hpp"

#include "http/curl_transport.hpp"
#include "http/loop/multiplexed_exchange.hpp"

#include <utility>

namespace inferwire::inline v0_1::http {

namespace {

/// Starts the exchanges of one more transport on a hub. Its connections are closed with it.
class Guest final : public Transport {
 public:
  Guest(std::shared_ptr<CurlPool> pool, std::shared_ptr<CurlHub> hub)
      : pool_(std::move(pool)), hub_(std::move(hub)) {
    hub_->join(*pool_);
  }
  ~Guest() override { hub_->leave(*pool_); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return MultiplexedExchange::start(hub_, hub_->shard(pool_), std::move(request), sink, options);
  }
  void wake() noexcept override { hub_->wake(); }

 private:
  std::shared_ptr<CurlPool> pool_;
  std::shared_ptr<CurlHub> hub_;
};

}  // namespace

Result<std::unique_ptr<Exchange>> CurlMultiplexer::start(HttpRequest request, Sink& sink,
                                                         const ExchangeOptions& options) {
  return MultiplexedExchange::start(hub_, hub_->shard(pool_), std::move(request), sink, options);
}

std::unique_ptr<Transport> CurlMultiplexer::adopt(Transport& other) {
  const auto* const curl = detail::CurlTransport::in(other);
  if (curl == nullptr) return nullptr;
  return std::make_unique<Guest>(curl->pool(), hub_);
}

std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool) {
  auto poller = make_poller();
  if (!poller) return nullptr;
  return std::make_unique<CurlMultiplexer>(std::move(pool), std::make_shared<CurlHub>(std::move(poller)));
}

}  // namespace inferwire::inline v0_1::http
