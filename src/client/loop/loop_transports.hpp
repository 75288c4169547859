/// \file
/// The transports and multiplexers for the exchanges of an event loop's cores.
#pragma once

#include "client/loop/polling_multiplexer.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <list>
#include <memory>
#include <vector>

namespace inferwire::inline v0_1::detail {
class Core;
}

namespace inferwire::inline v0_1::client {

/// The multiplexers that the cores on a loop are bound to; a polling one for transports that have none.
/// Connections outlive their core: another core with the same transport reuses them.
class LoopTransports {
 public:
  /// A multiplexer, and the transport that made it, if it must outlive it.
  struct OwnedMultiplexer {
    std::shared_ptr<Transport> transport;
    std::unique_ptr<Multiplexer> multiplexer;  // destroyed first
  };
  /// A list erases without assigning, which would destroy a transport before its multiplexer.
  using Multiplexers = std::list<OwnedMultiplexer>;

  explicit LoopTransports(Clock& clock) : polling_(clock) {}

  /// The transport that starts the exchanges of this core. Errors: connection (there are too few
  /// descriptors).
  Result<Transport*> transport_of(detail::Core& core);
  /// The core is gone. If its transport has other owners, its connections are kept for the next core.
  void unbind(const detail::Core& core) noexcept;
  void clear() noexcept;

  /// Whether exchanges of this core use the sockets of a multiplexer.
  bool uses_sockets(const detail::Core& core) const noexcept;
  /// The multiplexers that a core is bound to, without the polling one.
  const Multiplexers& multiplexers() const noexcept { return multiplexers_; }
  PollingMultiplexer& polling() noexcept { return polling_; }

 private:
  struct CoreBinding {
    detail::Core* core{};        ///< nullptr: it is gone, and its connections are kept for another one
    Multiplexer* multiplexer{};  ///< carries its exchanges; nullptr: they are polled
    std::unique_ptr<Transport> starter{};  ///< starts the exchanges; nullptr: the multiplexer itself does
    std::weak_ptr<Transport> transport{};  ///< owns the connections
  };

  Result<CoreBinding> bind(detail::Core& core);
  void forget_unused() noexcept;

  PollingMultiplexer polling_;
  Multiplexers multiplexers_;  ///< those that a core is bound to
  std::vector<CoreBinding> bindings_;
};

}  // namespace inferwire::inline v0_1::client
