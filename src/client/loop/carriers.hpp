/// \file
/// What carries the exchanges of an event loop, and for whom.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/loop/turns.hpp"
#include "inferwire/clock.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::detail {
class Core;
}

namespace inferwire::inline v0_1::client {

/// The multiplexers that the cores on a loop are connected to, and the turns of those whose transport has
/// none. Connections outlive their core: whoever comes with the same transport goes on with them.
class Carriers {
 public:
  /// A multiplexer, and the transport that it was made by, if it needs that.
  struct Carrier {
    Carrier(std::shared_ptr<Transport> from, std::unique_ptr<Multiplexer> made)
        : transport(std::move(from)), multiplexer(std::move(made)) {}
    Carrier(Carrier&&) noexcept = default;
    Carrier& operator=(Carrier&& other) noexcept {
      multiplexer = std::move(other.multiplexer);  // the old one before its transport
      transport = std::move(other.transport);
      return *this;
    }

    std::shared_ptr<Transport> transport;  ///< outlives the other
    std::unique_ptr<Multiplexer> multiplexer;
  };

  explicit Carriers(Clock& clock) : turns_(clock) {}

  /// The transport on which exchanges of this core are started.
  Transport& transport_of(detail::Core& core);
  /// The core is gone. Where somebody else holds its transport the connections stay for whoever comes next.
  void disconnect(const detail::Core& core) noexcept;
  void clear() noexcept;

  /// Whether exchanges of this core go over the sockets of a multiplexer.
  bool uses_sockets(const detail::Core& core) const noexcept;
  /// The multiplexers that somebody is connected to; without the turns.
  const std::vector<Carrier>& multiplexers() const noexcept { return multiplexers_; }
  Turns& turns() noexcept { return turns_; }

 private:
  struct Connected {
    detail::Core* core{};                  ///< nullptr: it is gone, and its connections wait for another one
    Multiplexer* multiplexer{};            ///< carries its exchanges; nullptr: the turns do
    std::unique_ptr<Transport> starter{};  ///< starts the exchanges; absent: the multiplexer itself does
    std::weak_ptr<Transport> transport{};  ///< owns the connections
  };

  std::optional<Connected> connect(detail::Core& core);
  void forget_unused() noexcept;

  Turns turns_;
  std::vector<Carrier> multiplexers_;  ///< those that somebody is connected to
  std::vector<Connected> connected_;
  std::unique_ptr<Transport> nowhere_{};  ///< where exchanges fail that nothing carries
};

}  // namespace inferwire::inline v0_1::client
