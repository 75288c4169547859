/// \file
/// The course of one call as a pure state machine: it owns every timer and decides whether to retry. It uses
/// no socket, clock, sleep or random number; the shell in call.cpp reports events to it and carries out its
/// decisions.
#pragma once

#include "client/answer_form.hpp"
#include "inferwire/error.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/timeouts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::client {

class CallMachine {
 public:
  /// How long the body of a stream's error answer is waited for, from its head; less if `total` is shorter.
  static constexpr std::chrono::seconds longest_refusal{10};

  /// The policy must outlive it. If there is a deadline, the call ends by then.
  CallMachine(const Timeouts& timeouts, const RetryPolicy& policy, AnswerForm form,
              const Optional<TimePoint>& deadline = {})
      : timeouts_(timeouts), policy_(policy), form_(form), deadline_(deadline) {}

  // Events. One of the first two begins the call.
  /// The next attempt's request is being completed, which may take separate exchanges.
  void on_preparing(TimePoint now);
  void on_attempt(TimePoint now);
  void on_connected(TimePoint now);
  void on_sending(TimePoint now) noexcept;
  void on_sent(TimePoint now);
  void on_head(int status, TimePoint now) noexcept;
  void on_bytes(std::uint64_t count, TimePoint now);
  /// The first element was decoded.
  void on_first_event(TimePoint now) { current_.first_event_at = now; }
  /// An element was decoded. Its reader may take any time to process it.
  void on_event() noexcept {
    ++current_.events;
    current_.had_event = true;
  }

  /// Whether the answer is complete but for its end: bytes without an event, which keep the connection alive,
  /// then no longer restart the timer between bytes.
  void expect_end(bool expected) noexcept { current_.expects_end = expected; }

  /// The reader waits for more data. After an element, the timers between bytes and events start from here,
  /// since the time before may be the reader's.
  void on_reader_waiting(TimePoint now) noexcept;
  /// The attempt failed: records it in `error.attempts`. The error of a failed token fetch contains that
  /// fetch's attempts.
  [[gnu::cold]] void on_failure(Error& error, TimePoint now);

  /// The time at which the next timer fires; TimePoint::max() if none is running.
  TimePoint next_deadline() const;
  /// The error of the timer that fired first, at or before `now`; nothing if none has.
  std::optional<Error> expired(TimePoint now) const;
  /// The error of Timeouts::overall or the deadline if `ends_at` has passed, even if another timer fired
  /// before.
  std::optional<Error> out_of_time(TimePoint now) const;

  /// Details of an attempt that failed.
  struct Failure {
    const Headers& headers;  ///< the answer's headers, as far as there is an answer
    bool renewed{};          ///< the credential has or can get a token that was not refused
    double chance{};         ///< a random number from 0 to below 1
  };
  /// Decides, after `on_failure`, when to begin another attempt; std::nullopt: the call is over.
  [[nodiscard, gnu::cold]] std::optional<TimePoint> next_attempt(const Error& error, const Failure& failure,
                                                                 TimePoint now);
  /// Whether a token that the server refused may be renewed in this call.
  bool may_renew() const noexcept { return !renewed_ && current_.events == 0; }

  /// The times of the current attempt, which ends at `now`.
  Timings timings(TimePoint now) const;

  /// The time at which Timeouts::overall or the deadline ends the call; TimePoint::max() if there is neither.
  TimePoint ends_at() const noexcept;
  /// How long an attempt may take to connect.
  const Optional<Duration>& connect_limit() const noexcept { return timeouts_.connect; }
  /// The last time that a connection broke or stayed silent: connections kept from before may also be dead.
  const Optional<TimePoint>& failed_at() const noexcept { return failed_at_; }
  int attempts() const noexcept { return attempt_; }
  /// The status of the current attempt's answer; 0 before its head.
  int status() const noexcept { return current_.status; }
  std::uint64_t events() const noexcept { return current_.events; }

 private:
  enum class Phase : std::uint8_t { idle, resting, preparing, connecting, waiting, reading };
  struct Timer {
    const char* name;
    Duration limit;
    TimePoint deadline;
  };
  /// What happened in an attempt so far.
  struct Course {
    int status{};
    bool had_event{};  ///< whether there was an element since the reader last waited
    bool expects_end{};
    std::uint64_t bytes{};
    std::uint64_t events{};
    TimePoint began{};
    TimePoint waiting_since{};  ///< when connected, or when more of the request was sent
    TimePoint head_at{};
    TimePoint last_byte{};
    TimePoint last_event{};
    std::optional<TimePoint> connected_at{};
    std::optional<TimePoint> sent_at{};
    std::optional<TimePoint> first_byte_at{};
    std::optional<TimePoint> first_event_at{};
  };

  /// Calls `visit` with each timer that runs in the current phase.
  template <class Visit>
  void each_timer(Visit visit) const;

  void begin(TimePoint now);
  [[gnu::cold]] Error timeout(TimePoint at) const;
  std::string progress() const;
  /// Whether there is an attempt, as opposed to preparations for one.
  bool is_attempting() const noexcept { return phase_ >= Phase::connecting; }
  bool curable(const Error& error) const noexcept;
  bool has_time_until(TimePoint at) const noexcept;
  std::optional<Duration> wait_after(const Error& error, double chance, TimePoint now) const noexcept;

  Timeouts timeouts_;
  const RetryPolicy& policy_;
  AnswerForm form_;
  Optional<TimePoint> deadline_;
  Phase phase_{Phase::idle};
  int attempt_{};
  Course current_{};
  TimePoint call_began_{};
  Optional<TimePoint> failed_at_{};  ///< the last connection that broke or stayed silent
  std::vector<Attempt> attempts_{};  ///< the attempts that failed
  int retries_{};                    ///< how many retries the policy counts
  Duration waited_{};                ///< the wait before the current attempt
  bool renewed_{};
};

}  // namespace inferwire::inline v0_1::client
