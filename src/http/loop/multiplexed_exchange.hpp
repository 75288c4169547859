/// \file
/// One exchange among many on one thread.
#pragma once

#include "http/loop/curl_hub.hpp"

#include <cstdint>
#include <exception>
#include <memory>

namespace inferwire::inline v0_1::http {

class MultiplexedExchange final : public Exchange, private CurlHub::Member {
 public:
  /// Errors: config, connection.
  static Result<std::unique_ptr<Exchange>> start(std::shared_ptr<CurlHub> hub, CurlShard& shard,
                                                 HttpRequest&& request, Sink& sink,
                                                 const ExchangeOptions& options);
  MultiplexedExchange(std::shared_ptr<CurlHub> hub, CurlShard& shard, Sink& sink);
  ~MultiplexedExchange() override;

  Progress drive(TimePoint deadline) override;
  void pause() override;
  void resume() override;
  void release() override;
  std::string_view obstacle() const noexcept override { return transfer_->obstacle(); }

 private:
  void attend() noexcept override { hub_->attend(*this); }
  bool prepare() noexcept override;
  bool look() override;

  Result<void> begin(HttpRequest&& request, const ExchangeOptions& options);
  Result<void> start_moving();
  void leave();
  void stop() noexcept;
  void conclude();
  void end(const Error* failure);

  std::shared_ptr<CurlHub> hub_;
  CurlShard& shard_;
  std::unique_ptr<Transfer> transfer_;
  Sink& sink_;
  std::uint64_t seen_wakes_;
  std::exception_ptr exception_;  ///< an exception from the sink, for `drive`
  bool driven_{};                 ///< by its own `drive`
  bool moving_{};                 ///< the shard has the transfer
  bool released_{};
};

}  // namespace inferwire::inline v0_1::http
