/// \file
/// The course of one call as a pure machine: it owns every timer and the decision whether to try again. No
/// socket, no clock, no sleep in here; the shell in call.cpp tells it what happened and does what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// What kind of answer a call waits for: the timers differ.
enum class Shape : std::uint8_t { whole, stream };

class CallMachine {
 public:
  CallMachine(const Timeouts& timeouts, Shape shape) : timeouts_(timeouts), shape_(shape) {}

  /// Why these timeouts cannot be used: a zero or negative one.
  static std::optional<Error> problem_with(const Timeouts& timeouts);

  // What happened. The first attempt begins the call.
  void on_attempt(TimePoint now);
  void on_connected(TimePoint now);
  void on_sent(TimePoint now);
  void on_head(int status);
  void on_bytes(std::uint64_t count, TimePoint now);
  /// The first element has been decoded.
  void on_first_event(TimePoint now) { first_event_at_ = now; }
  /// An element has been decoded: its timer starts when the reader is back and waits.
  void on_event() noexcept {
    ++events_;
    had_event_ = true;
  }

  /// The reader went away, with what has arrived, and is back for more: silence in between is not the
  /// server's.
  void on_reader_left(TimePoint now) { reader_left_ = now; }
  void on_reader_back(TimePoint now);

  /// When the next timer fires; TimePoint::max() when none runs.
  TimePoint next_deadline() const;
  /// The error of the timer that has fired by `now`, if one has.
  std::optional<Error> expired(TimePoint now) const;

  /// What to do about an attempt that failed.
  struct Verdict {
    bool retry{};
    TimePoint at{};  ///< when to try again
  };
  /// Notes the attempt in `error.attempts` and decides. Retries are a policy of its own and come with it:
  /// until then a failure is final.
  Verdict on_failure(Error& error, TimePoint now);

  /// When things happened in the attempt under way, which is over `now`.
  Timings timings(TimePoint now) const;

  int attempts() const noexcept { return attempt_; }
  std::uint64_t bytes() const noexcept { return bytes_; }
  std::uint64_t events() const noexcept { return events_; }

 private:
  enum class Phase : std::uint8_t { idle, connecting, waiting, reading };
  struct Timer {
    const char* name;
    Duration limit;
    TimePoint deadline;
  };

  /// Calls `visit` with each timer that runs in the present phase.
  template <class Visit>
  void each_timer(Visit visit) const;

  Timeouts timeouts_;
  Shape shape_;
  Phase phase_{Phase::idle};
  int attempt_{};
  int status_{};
  std::uint64_t bytes_{};
  std::uint64_t events_{};
  TimePoint call_began_{};
  TimePoint attempt_began_{};
  TimePoint waiting_since_{};  ///< connected, and again when the request had left
  TimePoint last_byte_{};
  TimePoint last_event_{};
  bool had_event_{};
  std::optional<TimePoint> connected_at_{};
  std::optional<TimePoint> sent_at_{};
  std::optional<TimePoint> first_byte_at_{};
  std::optional<TimePoint> first_event_at_{};
  std::optional<TimePoint> reader_left_{};
  std::vector<Attempt> attempts_{};
};

}  // namespace inferwire::inline v0_1::client
