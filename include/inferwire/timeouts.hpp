/// \file
/// How long a call may take, phase by phase.
#pragma once

#include <optional>
#include <type_traits>

#include "inferwire/by_name.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// The value for "no limit" of a timer, in Timeouts and in TimeoutChanges.
struct NoLimit {
  /// An absent duration.
  operator Optional<Duration>() const noexcept { return std::nullopt; }
  friend bool operator==(const Optional<Duration>& timer, NoLimit) noexcept { return !timer; }
};
inline constexpr NoLimit no_limit{};  ///< switches a timer off

/// The six timers of a call. Each is a duration, or `no_limit` (nothing); zero and negative values are
/// an Error{config}. The error of a timer that fired names it in `Error::timer`.
struct Timeouts {
  [[no_unique_address]] ByName by_name{};  ///< never set: see ByName
  /// From the start of an attempt until the connection is established: name resolution, TCP and TLS.
  Optional<Duration> connect{std::chrono::seconds(10)};
  /// From when the request has been sent until the first byte of the answer's body. While the request is
  /// being sent, it limits how long sending may make no progress. Data counts as sent once the operating
  /// system has accepted it: the last megabytes of a long request may still be on their way.
  Optional<Duration> first_byte{std::chrono::seconds(600)};
  /// Silence inside a stream. Any byte counts, keep-alive comments too. Paused while nobody reads.
  Optional<Duration> idle{std::chrono::seconds(300)};
  /// Silence inside a stream, counted by decoded events: for servers that keep the stream alive after their
  /// model has stalled.
  Optional<Duration> idle_event{};
  /// One attempt of a call that is not a stream, from start to end.
  Optional<Duration> total{std::chrono::seconds(600)};
  /// The whole call: all attempts, the waits between them, fetching tokens. Also holds for streams.
  Optional<Duration> overall{};

  friend bool operator==(const Timeouts&, const Timeouts&) = default;
};

/// What a call does with one of the client's timers: keep it, replace its limit, or turn it off. Made from a
/// duration or from `no_limit`, but not from an optional, whose absence could mean either.
class TimerChange {
 public:
  /// Keeps the client's timer as it is.
  TimerChange() = default;
  /// This limit, in any unit; rounded up to milliseconds.
  template <class Number, class Unit>
  TimerChange(std::chrono::duration<Number, Unit> limit) : limit_(Optional<Duration>(rounded_up(limit))) {}
  TimerChange(NoLimit) : limit_(Optional<Duration>()) {}
  /// Use `no_limit`, or leave the timer out to keep the client's.
  TimerChange(std::nullopt_t) = delete;

  /// The timer of a client, with this change.
  Optional<Duration> over(const Optional<Duration>& client) const noexcept {
    return limit_ ? *limit_ : client;
  }

  friend bool operator==(const TimerChange&, const TimerChange&) = default;

 private:
  /// The greatest duration for what is beyond it, or no number.
  template <class Number, class Unit>
  static Duration rounded_up(std::chrono::duration<Number, Unit> limit) noexcept {
    const std::chrono::duration<double, Duration::period> wanted = limit;
    constexpr auto least = (Duration::min)();  // in parentheses: windows.h has macros of these names
    constexpr auto greatest = (Duration::max)();
    if (!(wanted < greatest)) return greatest;
    return wanted < least ? least : std::chrono::ceil<Duration>(limit);
  }

  Optional<Optional<Duration>> limit_{};
};

/// Timeouts of one call: the timers that are named here replace the client's.
///
///     client.chat.create(request, {.timeouts = {.total = no_limit, .overall = std::chrono::hours(1)}});
struct TimeoutChanges {
  [[no_unique_address]] ByName by_name{};  ///< never set: see ByName
  TimerChange connect{};
  TimerChange first_byte{};
  TimerChange idle{};
  TimerChange idle_event{};
  TimerChange total{};
  TimerChange overall{};

  /// The timeouts of a client with these changes applied.
  INFERWIRE_API Timeouts over(const Timeouts& client) const noexcept;

  friend bool operator==(const TimeoutChanges&, const TimeoutChanges&) = default;
};

}  // namespace inferwire::inline v0_1
