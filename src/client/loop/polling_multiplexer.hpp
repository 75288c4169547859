/// \file
/// A multiplexer of exchanges whose transports have none of their own: it polls them.
#pragma once

#include <memory>

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// What the multiplexer and the exchanges that it polls share.
class PolledExchanges;

/// Asks exchanges when they are due, and looks every millisecond at those that cannot say.
class PollingMultiplexer final : public Multiplexer {
 public:
  explicit PollingMultiplexer(Clock& clock);
  ~PollingMultiplexer() override;

  /// It has no transport of its own: Error{config}. See `adopt`.
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
