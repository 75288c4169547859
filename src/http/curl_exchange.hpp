/// \file
/// One exchange over a borrowed reactor.
#pragma once

#include "http/curl_pool.hpp"
#include "inferwire/transport.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace inferwire::inline v0_1::http {

class CurlExchange final : public Exchange {
 public:
  /// Errors: config, connection.
  static Result<std::unique_ptr<Exchange>> start(std::shared_ptr<CurlPool> pool, HttpRequest&& request,
                                                 Sink& sink, const ExchangeOptions& options);
  CurlExchange(std::shared_ptr<CurlPool> pool, std::string_view url);
  ~CurlExchange() override;

  Progress drive(TimePoint deadline) override;
  void pause() override;
  void resume() override;
  void release() override;
  std::string_view obstacle() const noexcept override { return transfer_->obstacle(); }
  bool wake() noexcept override;

 private:
  bool is_woken() const noexcept;
  bool take_wake() noexcept;
  void leave();
  void stop() noexcept;
  void wait(TimePoint deadline);
  std::optional<Progress> move();
  Result<void> start_over();
  Progress end(const Error* failure);

  std::shared_ptr<CurlPool> pool_;
  std::unique_ptr<Reactor> reactor_;
  std::unique_ptr<Transfer> transfer_;
  Sink* sink_{};
  std::uint64_t seen_wakes_;   // wakes of the whole pool
  std::atomic<bool> woken_{};  // wakes of this exchange
  bool moving_{};              // the reactor holds the transfer
  bool waiting_{};             // everything that could progress has: the next round begins by waiting
  bool released_{};
};

}  // namespace inferwire::inline v0_1::http
