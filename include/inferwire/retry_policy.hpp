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

/// An attempt that failed, for a RetryJudge. Lives during the judge's call.
struct FailedAttempt {
  int number{};            ///< 1 for the first of the call
  const Error& error;      ///< its `attempts` end with this one
  const Headers& headers;  ///< of the answer; empty when none began
  /// What the policy would do: wait so long and try again; nothing: give up.
  Optional<Duration> wait{};
};

/// Decides in place of the rules which failures are tried again. Safe from any thread, since several calls
/// may ask at a time.
class INFERWIRE_API RetryJudge {
 public:
  virtual ~RetryJudge();
  /// How long to wait before the next attempt; nothing: give up. Is not asked when the caller cancelled,
  /// after the policy's last attempt, or once a part of the answer has been delivered; the policy's budget
  /// and Timeouts::overall bound what it says.
  virtual Optional<Duration> judge(const FailedAttempt& failed) noexcept = 0;

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

/// Which failures are tried again, how often and when. What it says of retries holds before the first element
/// of an answer has been delivered, and never after.
///
/// Tried again are: the statuses 408, 409, 429 and from 500 on, but for 501, 505, 507, 530; a host that
/// cannot be resolved or reached, a connection that breaks, an answer that is cut, a TLS handshake that is
/// interrupted, a timer.
/// Not: a used-up quota, a certificate that does not verify, and everything that would fail again. A server's
/// `x-should-retry: true|false` goes before this table. A token that the server refuses is fetched anew once,
/// beside the count.
struct RetryPolicy {
  /// Attempts after the first; 0: none. Not counted: a request on a connection that turns out to have been
  /// closed while it was idle is sent on a new one by libcurl (a server may have read it before it closed).
  int max_retries{2};
  Duration first_delay{500};                    ///< doubled with every retry ...
  Duration max_delay{std::chrono::seconds(8)};  ///< ... up to this
  double jitter{0.25};                          ///< the share of a delay that chance may take off, 0 to 1
  /// The longest wait that a server may ask for (`retry-after-ms`, `Retry-After`, google.rpc.RetryInfo) and
  /// get; when it asks for more the call fails at once, with `Error::retry_after`.
  Duration max_server_delay{std::chrono::seconds(60)};
  /// No retry is planned for later than this after the call began; nothing: no limit. What the call waited
  /// for its turn on an event loop counts, too. An attempt that has begun is left alone, other than by
  /// Timeouts::overall.
  Optional<Duration> budget{};
  /// Whether an attempt that a timer other than `connect` ended is tried again. The server may have done the
  /// work: what it costs is then paid twice.
  bool timeouts{true};
  /// Whether an error inside a good status is tried again: as the first event of a stream, or as the body.
  bool errors_in_answers{false};
  /// A header that carries the same key, made up by the client, with every attempt of a call, for services
  /// that document one ("Idempotency-Key"); empty: none is sent.
  std::string idempotency_header{};
  /// Has the last word; absent: the rules above have it.
  std::shared_ptr<RetryJudge> judge{};

  /// No second attempt.
  INFERWIRE_API static RetryPolicy none();
  /// For limits that are counted by the minute, as Databricks' pay-per-token endpoints have them: up to six
  /// attempts within five minutes, a minute apart at most.
  INFERWIRE_API static RetryPolicy rate_limit_patient();
};

}  // namespace inferwire::inline v0_1
