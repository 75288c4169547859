/// \file
/// One exchange over a borrowed reactor.
#pragma once

#include "http/curl_pool.hpp"
#include "http/transfer_exchange.hpp"
#include "inferwire/transport.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::http {

class CurlExchange final : public TransferExchange {
 public:
  /// Errors: config, connection.
  static Result<std::unique_ptr<Exchange>> start(std::shared_ptr<CurlPool> pool, HttpRequest&& request,
                                                 Sink& sink, const ExchangeOptions& options);
  CurlExchange(std::shared_ptr<CurlPool> pool, std::string_view url, Sink& sink);
  ~CurlExchange() override;

  Progress drive(TimePoint deadline) override;
  bool wake() noexcept override;

 private:
  bool is_woken() const noexcept;
  bool take_wake() noexcept;
  Result<void> add(Transfer& transfer) override { return reactor_->add(transfer); }
  void remove(Transfer& transfer) noexcept override { reactor_->remove(transfer); }
  void leave();
  void wait(TimePoint deadline);
  std::optional<Progress> move();

  std::shared_ptr<CurlPool> pool_;
  std::unique_ptr<Reactor> reactor_;
  std::uint64_t seen_wakes_;   // wakes of the whole pool
  std::atomic<bool> woken_{};  // wakes of this exchange
  bool waiting_{};             // everything that could progress has: the next round begins by waiting
};

}  // namespace inferwire::inline v0_1::http
