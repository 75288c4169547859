#include "http/loop/curl_multiplexer.hpp"

#include "http/curl_transport.hpp"
#include "http/loop/curl_hub.hpp"
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

/// Drives a hub, and starts the exchanges of its transport.
class CurlMultiplexer final : public Multiplexer {
 public:
  CurlMultiplexer(std::shared_ptr<CurlPool> pool, std::shared_ptr<CurlHub> hub)
      : pool_(std::move(pool)), hub_(std::move(hub)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override {
    return MultiplexedExchange::start(hub_, hub_->shard(pool_), std::move(request), sink, options);
  }
  void wake() noexcept override { hub_->wake(); }
  void run(TimePoint deadline) override {
    if (hub_->run(deadline)) hub_->run(TimePoint::min());  // after a wake, received data is still handled
  }
  std::unique_ptr<Transport> adopt(Transport& other) override {
    const auto* const curl = detail::CurlTransport::in(other);
    if (curl == nullptr) return nullptr;
    return std::make_unique<Guest>(curl->pool(), hub_);
  }

 private:
  std::shared_ptr<CurlPool> pool_;
  std::shared_ptr<CurlHub> hub_;
};

}  // namespace

std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool) {
  auto poller = make_poller();
  if (!poller) return nullptr;
  return make_multiplexer(std::move(pool), std::move(poller));
}

std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool,
                                              std::unique_ptr<Poller> poller) {
  return std::make_unique<CurlMultiplexer>(std::move(pool), std::make_shared<CurlHub>(std::move(poller)));
}

}  // namespace inferwire::inline v0_1::http
