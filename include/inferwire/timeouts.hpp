/// \file
/// How long each phase of a call may take.
#pragma once

#include "inferwire/by_name.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"

#include <optional>

namespace inferwire::inline v0_1 {

/// The type of `no_limit`, which means that a timer has no limit, in Timeouts and in TimeoutChanges.
struct NoLimit {
  /// An absent duration.
  operator Optional<Duration>() const noexcept { return std::nullopt; }
  friend bool operator==(const Optional<Duration>& timer, NoLimit) noexcept { return !timer; }
};
inline constexpr NoLimit no_limit{};  ///< switches a timer off

/// The six timers of a call. Each is a duration of whole milliseconds (`1500ms` or `2s`, but not `1.5s`), or
/// `no_limit` (absent); zero and negative values are an Error{config}. When a timer fires, the call fails
/// with Error{timeout}, and `Error::timer` names the timer.
struct Timeouts {
  [[no_unique_address]] ByName by_name{};  ///< never set: see ByName
  /// From the start of an attempt until the connection is established: name resolution, TCP and TLS.
  Optional<Duration> connect{std::chrono::seconds(10)};
  /// From the end of sending the request until the first byte of the answer's body. While the request is
  /// being sent, it limits how long sending may make no progress. Data counts as sent once the operating
  /// system has accepted it: the last megabytes of a large request may still be in flight.
  Optional<Duration> first_byte{std::chrono::seconds(600)};
  /// Silence inside a stream. Any byte ends it, including keep-alive comments, until all requested choices
  /// have finished; from then on, only events do. Paused while the program does not read.
  Optional<Duration> idle{std::chrono::seconds(300)};
  /// Time without a decoded event inside a stream, for servers that keep the connection alive after their
  /// model has stalled.
  Optional<Duration> idle_event{};
  /// One attempt of a call that is not a stream, from start to end. In a stream it limits how long the body
  /// of an error answer is waited for, but at most 10 seconds and from its head on; the error is then that of
  /// the status, with as much of the body as has arrived.
  Optional<Duration> total{std::chrono::seconds(600)};
  /// The whole call: all attempts, the waits between them, and fetching tokens. Applies to streams too. A
  /// retry that could only begin later is not waited for: the call fails with the error of its last attempt.
  Optional<Duration> overall{};

  friend bool operator==(const Timeouts&, const Timeouts&) = default;
};

/// What a call does with one of the client's timers: keep it, replace its limit, or turn it off. Constructed
/// from a duration or from `no_limit`, but not from an optional: an absent one could mean keep it or turn it
/// off.
class TimerChange {
 public:
  /// Keeps the client's timer.
  TimerChange() = default;
  /// Sets this limit, in any unit, rounded up to milliseconds.
  template <class Number, class Unit>
  TimerChange(std::chrono::duration<Number, Unit> limit) : limit_(Optional<Duration>(rounded_up(limit))) {}
  TimerChange(NoLimit) : limit_(Optional<Duration>()) {}
  /// Use `no_limit`, or leave the timer out to keep the client's.
  TimerChange(std::nullopt_t) = delete;

  /// A client's timer with this change applied.
  Optional<Duration> over(const Optional<Duration>& client) const noexcept {
    return limit_ ? *limit_ : client;
  }

  friend bool operator==(const TimerChange&, const TimerChange&) = default;

 private:
  /// Values beyond the range, and NaN, become the greatest duration.
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

/// Timeouts of one call: the timers that are set here replace the client's.
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
