/// \file
/// One exchange among many on one thread.
#pragma once

#include "http/loop/curl_hub.hpp"
#include "http/transfer_exchange.hpp"

#include <cstdint>
#include <exception>
#include <memory>

namespace inferwire::inline v0_1::http {

class MultiplexedExchange final : public TransferExchange, private CurlHub::Member {
 public:
  /// Errors: config, connection.
  static Result<std::unique_ptr<Exchange>> start(std::shared_ptr<CurlHub> hub, CurlShard& shard,
                                                 HttpRequest&& request, Sink& sink,
                                                 const ExchangeOptions& options);
  MultiplexedExchange(std::shared_ptr<CurlHub> hub, CurlShard& shard, Sink& sink);
  ~MultiplexedExchange() override;

  Progress drive(TimePoint deadline) override;

 private:
  Result<void> add(Transfer& transfer) override { return shard_.add(transfer); }
  void remove(Transfer& transfer) noexcept override { shard_.remove(transfer); }
  void attend() noexcept override { hub_->attend(*this); }
  bool prepare() noexcept override;
  bool look() override;

  Result<void> begin(HttpRequest&& request, const ExchangeOptions& options);
  void leave();
  void conclude_guarded();

  std::shared_ptr<CurlHub> hub_;
  CurlShard& shard_;
  std::uint64_t seen_wakes_;
  std::exception_ptr exception_;  ///< an exception from the sink, for `drive`
  bool driven_{};                 ///< by its own `drive`
};

}  // namespace inferwire::inline v0_1::http
