#include "client/batch/run.hpp"

#include "base/ended_call.hpp"
#include "client/batch/client_access.hpp"
#include "client/batch/mailbox.hpp"
#include "client/batch/outage.hpp"
#include "client/batch/pacer.hpp"
#include "client/batch/refusals.hpp"
#include "client/batch/slice.hpp"
#include "client/batch/slice_queue.hpp"
#include "client/batch/verdict.hpp"
#include "client/call/call_machine.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/trampoline.hpp"
#include "client/unsent.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

namespace {

/// The maximum time between two calls of a waiting batch's observer.
constexpr Duration observer_turn{100};

/// The error of a call whose deadline has passed before it was sent.
Error unsent_in_time(const std::shared_ptr<detail::Core>& core, const RetryPolicy& policy, TimePoint now) {
  CallMachine call({}, policy, AnswerForm::whole, now);
  call.on_preparing(now);
  return unsent(core, *call.expired(now));
}

/// A batch in progress. It decides, on the thread that called it, which request is next (SliceQueue), when it
/// may begin (Pacer), and what becomes of the slice of one that ended: it is kept, split, repeated or has
/// failed. OutageWatch says which failures are the service's, BatchVerdict whether the batch goes on. The
/// event loop only puts answers into a mailbox.
class BatchRun {
 public:
  /// All arguments must outlive it.
  BatchRun(const std::shared_ptr<detail::Core>& core, detail::Loop& loop, const BatchOptions& options,
           BatchWork& work)
      : core_(core),
        clock_(loop.clock()),
        options_(options),
        policy_(core->retry(options.call)),
        work_(work),
        facts_(work.facts()),
        verdict_(facts_.done > 0, facts_.alike),
        queue_([&work] { return work.next(); }, verdict_, facts_.sampled),
        pacer_(options.max_in_flight, policy_),
        call_(options.call),
        on_cancel_(options.call.cancel, &stop_and_wake, this) {
    call_.retry = without_refusals(policy_, options_.max_refusals);
    call_.cancel = stop_.token();
    call_.executor = Executor::on_loop();
    progress_.inputs = facts_.inputs;
    progress_.done = facts_.done;
    progress_.failed = facts_.failed;
    if (facts_.done_before) queue_.on_answer({*facts_.done_before});
  }
  /// Cancels what still runs, also if the observer threw.
  ~BatchRun() { stop_.cancel(); }
  BatchRun(const BatchRun&) = delete;
  BatchRun& operator=(const BatchRun&) = delete;

  /// Returns the error that ended the batch early, if any.
  Result<void> run() {
    if (progress_.done > 0 || progress_.failed > 0) report();
    for (;;) {
      const auto until = begin_what_may();
      if (options_.call.cancel.cancelled()) return leave(cancelled());
      if (under_way_.empty() && (verdict_.why_over() || !next_)) break;
      drain_trampoline();  // results of requests that ended at once may be waiting there
      for (auto& completion : await(until)) settle(std::move(completion));
    }
    if (const auto& why = verdict_.why_over()) return leave(*why);
    fail_rest();
    return {};
  }

 private:
  /// A slice whose request is in progress.
  struct Request : QueuedSlice {
    Pacer::Epoch epoch{};
    TimePoint begun{};
  };

  static void stop_and_wake(void* self) {
    auto* const run = static_cast<BatchRun*>(self);
    run->stop_.cancel();
    run->mailbox_->wake();
  }

  /// Begins as many requests as may begin; returns when the next one may.
  TimePoint begin_what_may() {
    for (;;) {
      for (auto& completion : mailbox_->take()) settle(std::move(completion));
      const auto now = clock_.now();
      const auto at = pacer_.next(now);
      if (verdict_.why_over() || !at || options_.call.cancel.cancelled()) break;
      if (!next_) {
        // The caller may wait for the results of those that are kept.
        if (facts_.follows_results && under_way_.empty() && decide_all()) continue;
        next_ = queue_.next();
        if (!next_ && !(under_way_.empty() && decide_all())) break;
        continue;  // it may have taken time
      }
      if (options_.call.deadline && *at >= *options_.call.deadline) {
        // An answer to a request in progress may report more room.
        if (under_way_.empty()) verdict_.end(late(now, *at));
        break;
      }
      if (*at > now) return *at;
      begin(*std::exchange(next_, std::nullopt), now);
    }
    return TimePoint::max();
  }

  /// The error of a request that could have begun at `at`, behind the deadline.
  Error late(TimePoint now, TimePoint at) const {
    auto error = unsent_in_time(core_, policy_, now);
    if (at > now) error.detail += "; the server has no room for it before the deadline";
    return error;
  }

  void begin(QueuedSlice next, TimePoint now) {
    const auto ticket = progress_.requests++;
    const auto slice = next.slice;
    under_way_.emplace(ticket, Request{std::move(next), pacer_.on_start(now), now});
    const auto info = std::make_shared<ResponseInfo>();
    call_.info = info;
    const auto place = mailbox_->expect(ticket, info);
    work_.start(slice, call_, [mailbox = mailbox_, place](std::unique_ptr<BatchReply> reply) {
      mailbox->put(place, std::move(reply));
    });
  }

  /// The results that have arrived; waits until `until` for the first one.
  BatchMailbox::Completions await(TimePoint until) {
    if (options_.observer == nullptr) return mailbox_->wait(clock_, until);
    auto arrived = mailbox_->wait(clock_, until, observer_turn);
    if (arrived.empty()) options_.observer->on_wait();
    return arrived;
  }

  void settle(BatchMailbox::Completion completion) {
    const auto ended = under_way_.extract(completion.ticket);
    if (auto error = completion.reply->take_error()) {
      on_error(ended.mapped(), *std::move(error), std::move(completion.info));
    } else {
      on_answer(completion.ticket, ended.mapped(), *completion.reply, *completion.info);
    }
    report();
  }

  void on_answer(std::size_t ticket, const Request& request, BatchReply& answer, const ResponseInfo& info) {
    const auto limits = info.rate_limits();
    pacer_.on_success(limits, clock_.now(), limits.tokens != RateLimit{} ? answer.tokens() : 0);
    const auto unusable = keep(request, answer);
    if (const Error* const why = work_.why_over()) verdict_.end(*why);
    if (unusable) return split_or_fail(request, *unusable);
    verdict_.on_answer();
    queue_.on_answer(request);
    for (auto& suspect : outage_.on_answer(ticket, request.begun)) decide(std::move(suspect));
  }

  /// Keeps an answer, unless it is a probe's: that input has its result. Returns why the answer cannot be
  /// used.
  std::optional<Error> keep(const Request& request, BatchReply& answer) {
    if (request.is_probe) {
      answer.count();
      return std::nullopt;
    }
    auto error = answer.keep(request.slice);
    if (!error) progress_.done += request.slice.count;
    return error;
  }

  void on_error(const Request& request, Error error, std::shared_ptr<const ResponseInfo> info) {
    const auto first_failed = first_failure(error, request);
    add_turns_before(error, request);
    if (is_refusal(error, policy_)) {
      on_refusal(request, error, info->head.headers);
    } else if (verdict_.answered_now() && is_as_in_outage(error, facts_.alike)) {
      suspect(request, error, first_failed, std::move(info));
    } else {
      pacer_.on_other_end();
      split_or_fail(request, error);
    }
  }

  /// About when the first attempt of a request failed that has ended.
  TimePoint first_failure(const Error& error, const Request& request) const {
    auto at = clock_.now();
    for (std::size_t i = 1; i < error.attempts.size(); ++i) {
      at -= error.attempts[i].waited + error.attempts[i].elapsed;
    }
    return std::max(at, request.begun);  // milliseconds are rounded
  }

  /// Adds earlier attempts to the error, as in that of a call that was retried.
  static void add_turns_before(Error& error, const Request& request) {
    if (!request.refusal) return;
    auto attempts = request.refusal->attempts;
    const auto waited = std::chrono::ceil<Duration>(request.begun - request.refused_at);
    if (!error.attempts.empty()) error.attempts.front().waited = waited;
    attempts.insert(attempts.end(), error.attempts.begin(), error.attempts.end());
    error.attempts = std::move(attempts);
  }

  /// The server refused a request because of load.
  void on_refusal(const Request& request, const Error& error, const Headers& headers) {
    pacer_.on_refusal(request.epoch, error.retry_after, clock_.now());
    verdict_.on_refusal(error, pacer_.refusals(), options_.max_refusals);
    if (error.retry_after.value_or(Duration::zero()) > policy_.max_server_delay) {
      verdict_.end(error);  // too long a wait for any request
    }
    repeat_or_fail(failed_slice(request, error), headers);
  }

  /// Keeps a slice that failed until other requests show whether that is its own failure or an outage.
  void suspect(const Request& request, const Error& error, TimePoint first_failed,
               std::shared_ptr<const ResponseInfo> info) {
    outage_.on_failure({.queued = failed_slice(request, error),
                        .info = std::move(info),
                        .begun = progress_.requests,
                        .first_failed = first_failed});
    if (outage_.is_outage()) {
      pacer_.on_outage(request.epoch, clock_.now());
      verdict_.on_outage(error, pacer_.refusals(), options_.max_refusals);
    } else {
      pacer_.on_other_end();
    }
  }

  /// Repeats a slice that failed in an outage, if the policy allows retries of it; otherwise it has failed.
  void decide(OutageWatch::Suspect suspect) {
    auto& queued = suspect.queued;
    if (suspect.in_outage && queued.refusal->retryable && policy_.max_retries > 0) {
      repeat_or_fail(std::move(queued), suspect.info->head.headers);
    } else {
      fail(queued, *queued.refusal);
    }
  }

  /// Decides about all slices that are kept; returns whether there were any.
  bool decide_all() {
    auto suspects = outage_.take_all();
    for (auto& suspect : suspects) decide(std::move(suspect));
    if (!suspects.empty()) report();
    return !suspects.empty();
  }

  /// The slice of a request that failed, which may be repeated.
  QueuedSlice failed_slice(const Request& request, const Error& error) const {
    return {.slice = request.slice,
            .refusals = request.refusals,
            .refusal = std::make_unique<Error>(error),
            .refused_at = clock_.now(),
            .is_probe = request.is_probe};
  }

  /// Repeats a slice after other requests had their turn, or gives it up.
  void repeat_or_fail(QueuedSlice failed, const Headers& headers) {
    if (!may_repeat(failed.refusals, *failed.refusal, headers)) return fail(failed, *failed.refusal);
    ++failed.refusals;
    ++progress_.refused;
    queue_.push_retry(std::move(failed));
  }

  /// Whether a request that was repeated `repeated` times may be repeated. The caller's judge may decide
  /// against it, but does not determine how long the batch waits.
  bool may_repeat(int repeated, const Error& error, const Headers& headers) {
    if (verdict_.why_over() || repeated >= options_.max_refusals) return false;
    if (!policy_.judge) return true;
    const auto wait = std::chrono::ceil<Duration>(pacer_.held_until() - clock_.now());
    const int number = static_cast<int>(error.attempts.size());
    return policy_.judge->judge({number, error, headers, std::max(wait, Duration::zero())}).has_value();
  }

  /// Repeats the slice of a request in parts if one of its inputs may be the cause.
  void split_or_fail(const Request& request, const Error& error) {
    if (request.is_probe || !queue_.split(request.slice, error)) fail(request, error);
  }

  void fail(const QueuedSlice& failed, const Error& error) {
    verdict_.on_failure(error);
    if (failed.is_probe) return queue_.on_probe_failed(error);
    progress_.failed += failed.slice.count;
    work_.fail(failed.slice, error);
  }

  /// Fails the slices set aside, which would be rejected like the others.
  void fail_rest() {
    const auto rest = queue_.take_rest();
    for (const auto& queued : rest) {
      progress_.failed += queued.slice.count;
      work_.give_up(queued.slice, verdict_.rejection());
    }
    if (!rest.empty()) report();
  }

  /// Fails everything that has no result yet with `error`. If the time is over, a refused request fails with
  /// its refusal instead, which is more informative.
  Result<void> leave(const Error& error) {
    stop_.cancel();
    const auto theirs = without_body(error);
    const auto end = [&](const QueuedSlice& ended, bool with_own_error) {
      if (ended.is_probe) return;  // it has its result
      if (with_own_error && ended.refusal) {
        work_.fail(ended.slice, *ended.refusal);
      } else {
        work_.give_up(ended.slice, theirs);
      }
    };
    const bool is_late = error.kind == ErrorKind::timeout;
    for (const auto& failed : outage_.take_all()) end(failed.queued, true);
    for (const auto& [ticket, request] : under_way_) end(request, is_late);
    if (next_) end(*next_, is_late);
    for (const auto& queued : queue_.take_rest()) end(queued, is_late);
    work_.give_up(theirs);
    return error;
  }

  void report() {
    if (options_.observer == nullptr) return;
    progress_.in_flight = under_way_.size();
    progress_.allowed = pacer_.allowed();
    progress_.waits_until = std::nullopt;
    const bool may_go_on = !verdict_.why_over() &&
                           (progress_.inputs == 0 || progress_.done + progress_.failed < progress_.inputs);
    if (may_go_on && pacer_.held_until() > clock_.now()) progress_.waits_until = pacer_.held_until();
    options_.observer->on_progress(progress_);
  }

  const std::shared_ptr<detail::Core>& core_;
  Clock& clock_;
  const BatchOptions& options_;
  RetryPolicy policy_;
  BatchWork& work_;
  const BatchFacts facts_;
  BatchVerdict verdict_;
  SliceQueue queue_;
  Pacer pacer_;
  OutageWatch outage_;
  CallOptions call_;  ///< the options of every request
  CancelSource stop_;
  /// Shared with callbacks, which may run after the end of a cancelled batch.
  std::shared_ptr<BatchMailbox> mailbox_ = std::make_shared<BatchMailbox>();
  std::map<std::size_t, Request> under_way_;
  std::optional<QueuedSlice> next_;  ///< waits for its time
  BatchProgress progress_;
  CancelToken::Hook on_cancel_;  ///< last member: it may fire from here on
};

/// Takes results from the checkpoint, until the batch is cancelled or its time is over.
Result<void> resume(const std::shared_ptr<detail::Core>& core, const BatchOptions& options, BatchWork& work) {
  if (options.checkpoint.empty()) return {};
  auto next_turn = core->clock().now() + observer_turn;
  return work.resume(options.checkpoint, [&]() -> std::optional<Error> {
    const auto now = core->clock().now();
    if (options.observer != nullptr && now >= next_turn) {
      next_turn = now + observer_turn;
      options.observer->on_wait();
    }
    const auto& call = options.call;
    if (call.cancel.cancelled()) return cancelled();
    if (call.deadline && now >= *call.deadline) return unsent_in_time(core, core->retry(call), now);
    return std::nullopt;
  });
}

}  // namespace

Result<void> run_batch(const Client& client, const BatchOptions& options, BatchWork& work) {
  const auto give_up = [&work](Error error) -> Result<void> {
    work.give_up(error);
    return error;
  };
  const auto core = detail::ClientAccess::core(client);
  if (!core) return give_up(moved_from());
  if (auto resumed = resume(core, options, work); !resumed) return give_up(std::move(resumed).error());
  auto loop = core->loop();
  if (!loop) return give_up(std::move(loop).error());
  if ((*loop)->is_here()) {
    return give_up(Error{.kind = ErrorKind::config,
                         .detail = "the event loop's thread cannot wait for a batch that it has to run"});
  }
  return BatchRun(core, **loop, options, work).run();
}

}  // namespace inferwire::inline v0_1::client
