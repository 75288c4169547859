/// \file
/// The course of one call as a pure machine: it owns every timer and the decision whether to try again. No
/// socket, no clock, no sleep, no random number in here; the shell in call.cpp tells it what happened and
/// does what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/answer_form.hpp"
#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/timeouts.hpp"

namespace inferwire::inline v0_1::client {

/// Whether `error` ends the call, whatever has come of an answer: the caller cancelled, or the call's time is
/// over.
inline bool ends_call(const Error& error) noexcept {
  return error.kind == ErrorKind::cancelled || error.timer == "overall";
}

class CallMachine {
 public:
  /// Borrows the policy for its life. By the deadline, where there is one, the call is over.
  CallMachine(const Timeouts& timeouts, const RetryPolicy& policy, AnswerForm form,
              const Optional<TimePoint>& deadline = {})
      : timeouts_(timeouts), policy_(policy), form_(form), deadline_(deadline) {}

  /// Why these timeouts cannot be used: a zero or negative one.
  static std::optional<Error> problem_with(const Timeouts& timeouts);
  /// Why this policy cannot be used: a negative number, or a share above one.
  static std::optional<Error> problem_with(const RetryPolicy& policy);

  // What happened. The first of these two begins the call.
  /// The next attempt's request is being completed, which may take exchanges of its own.
  void on_preparing(TimePoint now);
  void on_attempt(TimePoint now);
  void on_connected(TimePoint now);
  void on_sending(TimePoint now) noexcept;
  void on_sent(TimePoint now);
  void on_head(int status);
  void on_bytes(std::uint64_t count, TimePoint now);
  /// The first element has been decoded.
  void on_first_event(TimePoint now) { first_event_at_ = now; }
  /// An element has been decoded. Its reader may take any time with it.
  void on_event() noexcept {
    ++events_;
    had_event_ = true;
  }

  /// The reader waits for more than has arrived. Behind an element the silence counts from here: what was
  /// before it may be the reader's.
  void on_reader_waiting(TimePoint now) noexcept;

  /// The time at which the next timer fires; TimePoint::max() when none runs.
  TimePoint next_deadline() const;
  /// The error of the timer that has fired by `now`, if one has.
  std::optional<Error> expired(TimePoint now) const;

  /// An attempt that failed.
  struct Failure {
    const Headers& headers;  ///< those of the answer, as far as there is one
    bool renewed{};          ///< the credential has, or can get, a token that is not refused
    double chance{};         ///< at random, from 0 to below 1
  };
  /// Notes the attempt in `error.attempts` and decides when to begin another one; nothing: the call is over.
  /// The error of a token that could not be fetched brings that fetch's attempts along.
  std::optional<TimePoint> on_failure(Error& error, const Failure& failure, TimePoint now);
  /// Whether a token that the server refuses may be renewed in this call.
  bool may_renew() const noexcept { return !renewed_ && events_ == 0; }

  /// The times of the attempt under way, which is over `now`.
  Timings timings(TimePoint now) const;

  /// The time at which Timeouts::overall or the deadline ends the call; TimePoint::max() when neither does.
  TimePoint ends_at() const noexcept;
  /// How long an attempt may take to connect.
  const Optional<Duration>& connect_limit() const noexcept { return timeouts_.connect; }
  /// The time at which the last connection broke, if one did: those kept from before may be as dead.
  const Optional<TimePoint>& broke_at() const noexcept { return broke_at_; }
  int attempts() const noexcept { return attempt_; }
  std::uint64_t events() const noexcept { return events_; }

 private:
  enum class Phase : std::uint8_t { idle, resting, preparing, connecting, waiting, reading };
  struct Timer {
    const char* name;
    Duration limit;
    TimePoint deadline;
  };

  /// Calls `visit` with each timer that runs in the present phase.
  template <class Visit>
  void each_timer(Visit visit) const;

  void begin(TimePoint now);
  std::string progress() const;
  void note(Error& error, bool attempted, TimePoint now);
  bool curable(const Error& error) const noexcept;
  bool has_time_until(TimePoint at) const noexcept;
  std::optional<Duration> wait_after(const Error& error, double chance, TimePoint now) const noexcept;

  Timeouts timeouts_;
  const RetryPolicy& policy_;
  AnswerForm form_;
  Optional<TimePoint> deadline_;
  Phase phase_{Phase::idle};
  int attempt_{};
  int status_{};
  std::uint64_t bytes_{};
  std::uint64_t events_{};
  TimePoint call_began_{};
  TimePoint attempt_began_{};
  TimePoint waiting_since_{};  ///< connected, and again when more of the request had left
  TimePoint last_byte_{};
  TimePoint last_event_{};
  bool had_event_{};  ///< since the reader waited last
  std::optional<TimePoint> connected_at_{};
  std::optional<TimePoint> sent_at_{};
  std::optional<TimePoint> first_byte_at_{};
  std::optional<TimePoint> first_event_at_{};
  Optional<TimePoint> broke_at_{};
  std::vector<Attempt> attempts_{};  ///< the attempts that failed
  int retries_{};                    ///< how many the policy counts
  Duration waited_{};                ///< before the attempt under way
  bool renewed_{};
};

}  // namespace inferwire::inline v0_1::client
