/// \file
/// Which failures of a call are retried, and when.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

#include <memory>
#include <string>
#include <utility>

namespace inferwire::inline v0_1 {

class Clock;

/// A failed attempt, as a RetryJudge sees it. Valid during the call of `judge`.
struct FailedAttempt {
  int number{};            ///< 1 for the first of the call; attempts that are not judged count
  const Error& error;      ///< the last of its `attempts` is this one
  const Headers& headers;  ///< the answer's headers; empty if no answer began
  /// What the policy would do: wait this long and retry; absent: give up.
  Optional<Duration> wait{};
};

/// Decides which failures are retried, in place of the rules. Has to be safe from any thread: several calls
/// may ask at the same time.
class INFERWIRE_API RetryJudge {
 public:
  virtual ~RetryJudge();
  /// Returns how long to wait before the next attempt; absent: give up. Not called after the caller
  /// cancelled, after the policy's last attempt, or once a part of the answer has been delivered; nor if a
  /// refused token is renewed, or no token could be fetched. The policy's budget and Timeouts::overall still
  /// apply.
  virtual Optional<Duration> judge(const FailedAttempt& failed) noexcept = 0;
  /// Whether the program itself makes a call again that failed with this error, as a batch does with refused
  /// ones: the log then has the failure at level info, not error. False by default.
  virtual bool repeats_later(const Error& error) const noexcept;

  /// A retry budget shared by all calls that use this judge, of one client or of many: `retries` at first,
  /// refilled evenly by as many in every `window`. While it lasts the policy decides; once it is used up
  /// calls fail at once, so that an outage does not multiply the load on the service. `retries` below 1: no
  /// retries; `window` 0 or less: no limit. `clock` absent: the machine's.
  static std::shared_ptr<RetryJudge> at_most(int retries, Duration window, std::shared_ptr<Clock> clock = {});
  /// Makes a RetryJudge from a function: `function(failed)` is called to judge each failure, and must not
  /// throw.
  template <class F>
  static std::shared_ptr<RetryJudge> of(F function) {
    class Calls final : public RetryJudge {
     public:
      explicit Calls(F&& callee) : function_(std::move(callee)) {}
      Optional<Duration> judge(const FailedAttempt& failed) noexcept override { return function_(failed); }

     private:
      F function_;
    };
    return std::make_shared<Calls>(std::move(function));
  }
};

/// Determines which failures are retried, how often and when. A call is retried only until the first element
/// of its answer has been delivered.
///
/// Retried are: the statuses 408, 409, 429 and 500 and above, except 501, 505, 507 and 530, and any other
/// with which a server reports a rate limit or an overload; a host that cannot be resolved or reached, a
/// connection that breaks, an answer that is cut off, a TLS handshake that is interrupted, and a timer that
/// fired. Not retried are: an exhausted quota, a certificate that does not verify, and everything else that
/// would fail again. A server's `x-should-retry: true|false` takes precedence over this list. If the server
/// refuses a token, a new one is fetched once, which does not count as a retry.
///
/// A negative number or duration, and a jitter outside of 0 to 1, is Error{config}.
struct RetryPolicy {
  /// Attempts after the first; 0: none. One case is not counted: if a reused connection breaks within a
  /// second without an answer, as happens when the server closed it while it was idle, libcurl sends the
  /// request again on a new connection. (The server may have read the first request before it closed.)
  int max_retries{2};
  Duration first_delay{500};                    ///< doubled with every retry ...
  Duration max_delay{std::chrono::seconds(8)};  ///< ... up to this
  /// The largest random fraction subtracted from a delay, 0 to 1, so that calls that failed together are not
  /// retried together. For a wait that the server asks for, up to this fraction is added instead, within
  /// `max_server_delay` and as far as `budget` and Timeouts::overall allow.
  double jitter{0.25};
  /// The longest wait that a server may ask for (`retry-after-ms`, `Retry-After`, google.rpc.RetryInfo); if
  /// it asks for more, the call fails at once, with `Error::retry_after`. A date counts from the answer's own
  /// `Date`.
  Duration max_server_delay{std::chrono::seconds(60)};
  /// No retry starts later than this after the start of the call; absent: no limit. Time that the first
  /// attempt waited for its turn on an event loop counts. A retry that has to wait for its turn may be sent
  /// later, and an attempt that has started is not interrupted: Timeouts::overall limits both.
  Optional<Duration> budget{};
  /// Whether to retry after a timer other than `connect` ended the attempt. The server may have done the
  /// work, which you then pay for twice.
  bool timeouts{true};
  /// Whether to retry an error that comes with a success status: as the first event of a stream, or as the
  /// body.
  bool errors_in_answers{false};
  /// The name of a header ("Idempotency-Key") that carries the same random key in every attempt of a call,
  /// for services that document one; empty: none is sent.
  std::string idempotency_header{};
  /// Has the final decision; absent: the rules above decide.
  std::shared_ptr<RetryJudge> judge{};

  /// Never retries.
  INFERWIRE_API static RetryPolicy none();
  /// For rate limits per minute, such as those of Databricks' pay-per-token endpoints: up to six attempts
  /// within five minutes, at most a minute apart.
  INFERWIRE_API static RetryPolicy rate_limit_patient();
};

}  // namespace inferwire::inline v0_1
