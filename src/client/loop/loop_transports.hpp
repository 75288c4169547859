/// \file
/// On which transports the cores of an event loop start their exchanges, and what carries those.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/loop/polling_multiplexer.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::detail {
class Core;
}

namespace inferwire::inline v0_1::client {

/// The multiplexers that the cores on a loop are bound to: one that polls, where their transport has none.
/// Connections outlive their core: whoever comes with the same transport goes on with them.
class LoopTransports {
 public:
  /// A multiplexer, and the transport that it was made by, if it needs that.
  struct OwnedMultiplexer {
    OwnedMultiplexer(std::shared_ptr<Transport> from, std::unique_ptr<Multiplexer> made)
        : transport(std::move(from)), multiplexer(std::move(made)) {}
    OwnedMultiplexer(OwnedMultiplexer&&) noexcept = default;
    OwnedMultiplexer& operator=(OwnedMultiplexer&& other) noexcept {
      multiplexer = std::move(other.multiplexer);  // the old one before its transport
      transport = std::move(other.transport);
      return *this;
    }

    std::shared_ptr<Transport> transport;  ///< outlives the other
    std::unique_ptr<Multiplexer> multiplexer;
  };

  explicit LoopTransports(Clock& clock) : polling_(clock) {}

  /// The transport on which exchanges of this core are started.
  Transport& transport_of(detail::Core& core);
  /// The core is gone. Where somebody else holds its transport the connections stay for whoever comes next.
  void unbind(const detail::Core& core) noexcept;
  void clear() noexcept;

  /// Whether exchanges of this core go over the sockets of a multiplexer.
  bool uses_sockets(const detail::Core& core) const noexcept;
  /// The multiplexers that a core is bound to; without the one that polls.
  const std::vector<OwnedMultiplexer>& multiplexers() const noexcept { return multiplexers_; }
  PollingMultiplexer& polling() noexcept { return polling_; }

 private:
  struct CoreBinding {
    detail::Core* core{};                  ///< nullptr: it is gone, and its connections wait for another one
    Multiplexer* multiplexer{};            ///< carries its exchanges; nullptr: they are polled
    std::unique_ptr<Transport> starter{};  ///< starts the exchanges; absent: the multiplexer itself does
    std::weak_ptr<Transport> transport{};  ///< owns the connections
  };

  std::optional<CoreBinding> bind(detail::Core& core);
  void forget_unused() noexcept;

  PollingMultiplexer polling_;
  std::vector<OwnedMultiplexer> multiplexers_;  ///< those that a core is bound to
  std::vector<CoreBinding> bindings_;
  std::unique_ptr<Transport> failing_{};  ///< where exchanges fail that nothing carries
};

}  // namespace inferwire::inline v0_1::client
