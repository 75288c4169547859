/// \file
/// How long a call may take, phase by phase.
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// The six timers of a call. Each is a duration, or std::nullopt for "no limit"; zero and negative values are
/// an Error{config}. The error of a timer that fired names it in `Error::timer`.
struct Timeouts {
  /// From the start of an attempt until the connection stands: name resolution, TCP and TLS.
  Optional<Duration> connect{std::chrono::seconds(10)};
  /// From the request having been sent until the first byte of the answer's body. While it is being sent the
  /// same limit holds for how long nothing of it leaves. Sent is what the system has taken: the last
  /// megabytes of a long request may still be on their way.
  Optional<Duration> first_byte{std::chrono::seconds(600)};
  /// Silence inside a stream. Any byte counts, keep-alive comments too. Stands still while nobody reads.
  Optional<Duration> idle{std::chrono::seconds(300)};
  /// Silence inside a stream as seen by decoded events, for servers whose keep-alive outlives their model.
  Optional<Duration> idle_event{};
  /// One attempt of a call that is not a stream, from start to end.
  Optional<Duration> total{std::chrono::seconds(600)};
  /// The whole call: all attempts, the waits between them, fetching tokens. For streams too.
  Optional<Duration> overall{};

  friend bool operator==(const Timeouts&, const Timeouts&) = default;
};

/// In TimeoutChanges: no limit, where leaving a timer out means the client's own.
inline constexpr std::optional<Duration> no_limit{};

/// Timeouts of one call: the timers that are named here go before the client's.
///
///     client.chat.create(request, {.timeouts = {.total = no_limit, .overall = std::chrono::hours(1)}});
struct TimeoutChanges {
  Optional<Optional<Duration>> connect{};
  Optional<Optional<Duration>> first_byte{};
  Optional<Optional<Duration>> idle{};
  Optional<Optional<Duration>> idle_event{};
  Optional<Optional<Duration>> total{};
  Optional<Optional<Duration>> overall{};

  /// The timeouts of a client, with these changes.
  INFERWIRE_API Timeouts over(const Timeouts& client) const noexcept;

  friend bool operator==(const TimeoutChanges&, const TimeoutChanges&) = default;
};

}  // namespace inferwire::inline v0_1
