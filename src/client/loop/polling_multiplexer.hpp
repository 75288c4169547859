/// \file
/// A multiplexer that polls the exchanges of transports without a multiplexer.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

#include <memory>

namespace inferwire::inline v0_1::client {

/// State shared by the multiplexer and the exchanges that it polls.
class PolledExchanges;

/// Drives exchanges when they are due, and every millisecond those that cannot say when they are.
class PollingMultiplexer final : public Multiplexer {
 public:
  explicit PollingMultiplexer(Clock& clock);
  ~PollingMultiplexer() override;

  /// Returns Error{config}: it has no transport of its own. See `adopt`.
  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;
  void run(TimePoint deadline) override;
  std::unique_ptr<Transport> adopt(Transport& other) override;
  bool empty() const noexcept;

 private:
  std::shared_ptr<PolledExchanges> polled_;
};

}  // namespace inferwire::inline v0_1::client
