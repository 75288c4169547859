/// \file
/// Thousands of exchanges on one thread.
#pragma once

#include "http/loop/curl_hub.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::http {

/// Drives a hub, and starts the exchanges of its transport.
class CurlMultiplexer final : public Multiplexer {
 public:
  CurlMultiplexer(std::shared_ptr<CurlPool> pool, std::shared_ptr<CurlHub> hub)
      : pool_(std::move(pool)), hub_(std::move(hub)) {}

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override { hub_->wake(); }
  void run(TimePoint deadline) override {
    if (hub_->run(deadline)) hub_->run(TimePoint::min());  // after a wake, received data is still handled
  }
  std::unique_ptr<Transport> adopt(Transport& other) override;

 private:
  std::shared_ptr<CurlPool> pool_;
  std::shared_ptr<CurlHub> hub_;
};

/// A multiplexer for the transport with this pool. nullptr: no descriptors left.
std::unique_ptr<Multiplexer> make_multiplexer(std::shared_ptr<CurlPool> pool);

}  // namespace inferwire::inline v0_1::http
