/// \file
/// When a call that failed is made again.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

class Clock;

/// An attempt that failed, for a RetryJudge. Valid during the judge's call.
struct FailedAttempt {
  int number{};            ///< 1 for the first of the call
  const Error& error;      ///< the last of its `attempts` is this one
  const Headers& headers;  ///< those of the answer; empty when none began
  /// What the policy would do: wait this long and try again; absent: give up.
  Optional<Duration> wait{};
};

/// Decides instead of the rules which failures are tried again. Has to be safe from any thread: several calls
/// may ask at a time.
class INFERWIRE_API RetryJudge {
 public:
  virtual ~RetryJudge();
  /// How long to wait before the next attempt; absent: give up. Not called when the caller cancelled, after
  /// the policy's last attempt, or once a part of the answer has been delivered. The policy's budget and
  /// Timeouts::overall still apply.
  virtual Optional<Duration> judge(const FailedAttempt& failed) noexcept = 0;

  /// One that has a stock of retries for all calls that share it, those of one client or of many: `retries`
  /// of them, and as many again, evenly, in every `window`. Otherwise the policy decides. So a service that
  /// is down does not get several times its usual load: once the stock is used up, calls fail at once.
  /// `retries` below 1: none at all; `window` of 0: no limit. `clock`; absent: the machine's.
  static std::shared_ptr<RetryJudge> at_most(int retries, Duration window, std::shared_ptr<Clock> clock = {});
  /// One that calls `function(failed)`, which must not throw.
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

/// Says which failures are tried again, how often and when. Calls are retried only until the first element of
/// the answer has been delivered.
///
/// These are tried again: the statuses 408, 409, 429 and from 500 on, except 501, 505, 507, 530; a host that
/// cannot be resolved or reached, a connection that breaks, an answer that is cut, a TLS handshake that is
/// interrupted, a timer. Not: a used-up quota, a certificate that does not verify, and everything that would
/// fail again. A server's `x-should-retry: true|false` takes precedence over this list. If the server refuses
/// a token, a new one is fetched once, which does not count as a retry.
struct RetryPolicy {
  /// Attempts after the first; 0: none. Not counted: when a connection that was used before breaks without an
  /// answer within a second, as one does that the server had closed while it was idle, libcurl sends the
  /// request again on a new one (the server may have read it before it closed).
  int max_retries{2};
  Duration first_delay{500};                    ///< doubled with every retry ...
  Duration max_delay{std::chrono::seconds(8)};  ///< ... up to this
  /// The largest random share taken off a delay, 0 to 1, so that many calls that failed together do not come
  /// back together. To a wait that a server asks for, up to this share is added, within `max_server_delay`
  /// and as far as `budget` and Timeouts::overall leave room for it.
  double jitter{0.25};
  /// The longest wait that is granted to a server (`retry-after-ms`, `Retry-After`, google.rpc.RetryInfo); if
  /// it asks for more the call fails at once, with `Error::retry_after`.
  Duration max_server_delay{std::chrono::seconds(60)};
  /// No retry is begun later than this after the call began; absent: no limit. The time that the first
  /// attempt waited for a turn on an event loop counts too. A retry that has to wait for a turn may be sent
  /// later, and an attempt that has begun is not interrupted: Timeouts::overall bounds both.
  Optional<Duration> budget{};
  /// Whether an attempt is tried again after a timer other than `connect` ended it. The server may have done
  /// the work, which is then paid for twice.
  bool timeouts{true};
  /// Whether an error that comes with a status of success is tried again: as the first event of a stream, or
  /// as the body.
  bool errors_in_answers{false};
  /// The name of a header ("Idempotency-Key") that carries the same random key with every attempt of a call,
  /// for services that document one; empty: none is sent.
  std::string idempotency_header{};
  /// Has the last word; absent: the rules above decide.
  std::shared_ptr<RetryJudge> judge{};

  /// No second attempt.
  INFERWIRE_API static RetryPolicy none();
  /// For limits that are counted by the minute, as Databricks' pay-per-token endpoints have them: up to six
  /// attempts within five minutes, a minute apart at most.
  INFERWIRE_API static RetryPolicy rate_limit_patient();
};

}  // namespace inferwire::inline v0_1
