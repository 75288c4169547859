/// \file
/// A Service as a transport: the client calls the engine in process, in the same format as over HTTP but
/// without sockets.
#pragma once

#include "inferwire/clock.hpp"
#include "inferwire/engine/service.hpp"
#include "inferwire/export.hpp"
#include "inferwire/transport.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// Keeps the contract of transport.hpp: streams advance step by step, can be paused, and stop when destroyed.
class INFERWIRE_API EngineTransport final : public Transport {
 public:
  /// `clock` is for the timing of paced answers; absent: the machine's steady clock.
  explicit EngineTransport(std::shared_ptr<Service> service, std::shared_ptr<Clock> clock = nullptr);
  ~EngineTransport() override;

  Result<std::unique_ptr<Exchange>> start(HttpRequest request, Sink& sink,
                                          const ExchangeOptions& options) override;
  void wake() noexcept override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace inferwire::inline v0_1::engine
