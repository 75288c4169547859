/// \file
/// Exchanges of transports that have no multiplexer of their own, moved in turns.
#pragma once

#include <memory>

#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::client {

/// What the turns and the exchanges in them share.
class TurnTable;

/// Asks exchanges when they are due, and looks every millisecond at those that cannot say.
class Turns final : public Multiplexer {
 public:
  explicit Turns(Clock& clock);
  ~Turns() override;

  /// It has no transport of its own: Error{config}. See `adopt`.
  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;
  void run(TimePoint deadline) override;
  std::unique_ptr<Transport> adopt(Transport& other) override;
  bool empty() const noexcept;

 private:
  std::shared_ptr<TurnTable> table_;
};

}  // namespace inferwire::inline v0_1::client
