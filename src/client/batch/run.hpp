/// \file
/// A batch in progress. All decisions are made on the thread that called it: which request is next
/// (SliceQueue), when (Pacer), and what to do with one that ended. The event loop only puts answers into a
/// mailbox.
#pragma once

#include "base/ended_call.hpp"
#include "client/batch/checkpoint.hpp"
#include "client/batch/client_access.hpp"
#include "client/batch/mailbox.hpp"
#include "client/batch/outage.hpp"
#include "client/batch/pacer.hpp"
#include "client/batch/refusals.hpp"
#include "client/batch/slice.hpp"
#include "client/batch/slice_queue.hpp"
#include "client/batch/tokens.hpp"
#include "client/batch/verdict.hpp"
#include "client/batch/work.hpp"
#include "client/call/call_machine.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/trampoline.hpp"
#include "client/unsent.hpp"
#include "inferwire/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::client {

/// The maximum time between two calls of a waiting batch's observer.
constexpr Duration observer_turn{100};

/// The error of a call whose deadline has passed before it was sent.
inline Error out_of_time(const std::shared_ptr<detail::Core>& core, const RetryPolicy& policy,
                         TimePoint now) {
  CallMachine call({}, policy, AnswerForm::whole, now);
  call.on_preparing(now);
  return unsent(core, *call.expired(now));
}

template <BatchWork Work>
class BatchRun {
  using Mailbox = BatchMailbox<typename Work::Response>;

 public:
  /// All arguments must outlive it.
  BatchRun(const std::shared_ptr<detail::Core>& core, detail::Loop& loop, const BatchOptions& options,
           Work& work)
      : core_(core),
        clock_(loop.clock()),
        options_(options),
        policy_(options.call.retry.value_or(core->retry())),
        work_(work),
        facts_(work.facts()),
        verdict_(facts_.done > 0, facts_.alike),
        queue_([&work] { return work.next(); }, verdict_, facts_.sampled),
        pacer_(options.in_flight, policy_),
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
  struct Request : QueuedSlice {
    Duration waited{};  ///< since `refused_at`, before this turn
    Pacer::Epoch epoch{};
    TimePoint begun{};
  };

  static void stop_and_wake(void* self) {
    auto* const run = static_cast<BatchRun*>(self);
    run->stop_.cancel();
    run->mailbox_->wake();
  }

  /// The results that have arrived; waits until `until` for the first one.
  std::vector<typename Mailbox::Completion> await(TimePoint until) {
    if (options_.observer == nullptr) return mailbox_->wait(clock_, until);
    auto arrived = mailbox_->wait(clock_, until, observer_turn);
    if (arrived.empty()) options_.observer->on_wait();
    return arrived;
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
    auto error = out_of_time(core_, policy_, now);
    if (at > now) error.detail += "; the server has no room for it before the deadline";
    return error;
  }

  void begin(QueuedSlice next, TimePoint now) {
    const auto ticket = progress_.requests++;
    const auto slice = next.slice;
    const auto waited = next.refusal ? std::chrono::ceil<Duration>(now - next.refused_at) : Duration{};
    under_way_.emplace(ticket, Request{std::move(next), waited, pacer_.on_start(now), now});
    const auto info = std::make_shared<ResponseInfo>();
    call_.info = info;
    work_.start(slice, call_).then([mailbox = mailbox_, info, ticket](Result<typename Work::Response> reply) {
      mailbox->put({ticket, std::move(reply), info});
    });
  }

  void settle(typename Mailbox::Completion completion) {
    const auto ended = under_way_.extract(completion.ticket);
    const Request& request = ended.mapped();
    std::optional<Error> error;
    if (completion.reply) {
      const auto limits = completion.info->rate_limits();
      const bool counted = limits.tokens != RateLimit{};
      pacer_.on_success(limits, clock_.now(), counted ? tokens_of(*completion.reply) : 0);
      error = keep(request, *std::move(completion.reply));
      if (const Error* const why = work_.why_over()) verdict_.end(*why);
      if (!error) {
        verdict_.on_answer();
        queue_.on_answer(request);
        for (auto& suspect : outage_.on_answer(completion.ticket, request.begun)) decide(std::move(suspect));
      }
    } else {
      error = std::move(completion.reply).error();
      const auto first_failed = first_failure(*error, request);
      add_turns_before(*error, request);
      if (is_refusal(*error, policy_)) {
        pacer_.on_refusal(request.epoch, error->retry_after, clock_.now());
        verdict_.on_refusal(*error, pacer_.refusals(), options_.max_refusals);
      } else if (verdict_.answered_now() && is_as_in_outage(*error, facts_.alike)) {
        suspect(request, *error, first_failed, completion.info);
        return report();
      } else {
        pacer_.on_other_end();
      }
    }
    if (error && !try_again(request, *error, completion.info->head.headers)) fail(request, *error);
    report();
  }

  /// Keeps an answer, unless it is a probe's: that input has its result. Returns why the answer cannot be
  /// used.
  std::optional<Error> keep(const Request& request, typename Work::Response answer) {
    if (request.is_probe) {
      work_.count(answer);
      return std::nullopt;
    }
    auto error = work_.keep(request.slice, std::move(answer));
    if (!error) progress_.done += request.slice.count;
    return error;
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
    if (!error.attempts.empty()) error.attempts.front().waited = request.waited;
    attempts.insert(attempts.end(), error.attempts.begin(), error.attempts.end());
    error.attempts = std::move(attempts);
  }

  bool try_again(const Request& request, const Error& error, const Headers& headers) {
    if (!is_refusal(error, policy_)) return !request.is_probe && queue_.split(request.slice, error);
    if (!has_another_turn(request, error, headers)) return false;
    repeat(failed_slice(request, error));
    return true;
  }

  /// The slice of a request that failed, which may be repeated.
  QueuedSlice failed_slice(const Request& request, const Error& error) const {
    return {.slice = request.slice,
            .refusals = request.refusals,
            .refusal = std::make_unique<Error>(error),
            .refused_at = clock_.now(),
            .is_probe = request.is_probe};
  }

  void repeat(QueuedSlice failed) {
    ++failed.refusals;
    ++progress_.refused;
    queue_.push_retry(std::move(failed));
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
    const Error& error = *queued.refusal;
    const bool may_be_repeated = suspect.in_outage && error.retryable && policy_.max_retries > 0;
    if (may_be_repeated && may_repeat(queued.refusals, error, suspect.info->head.headers)) {
      repeat(std::move(queued));
    } else {
      fail(queued, error);
    }
  }

  /// Decides about all slices that are kept; returns whether there were any.
  bool decide_all() {
    auto suspects = outage_.take_all();
    for (auto& suspect : suspects) decide(std::move(suspect));
    if (!suspects.empty()) report();
    return !suspects.empty();
  }

  /// Whether a refused request is repeated.
  bool has_another_turn(const Request& request, const Error& error, const Headers& headers) {
    if (error.retry_after.value_or(Duration::zero()) > policy_.max_server_delay) {
      verdict_.end(error);  // too long a wait for any request
    }
    return may_repeat(request.refusals, error, headers);
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

  /// Fails everything that has no result yet with `error`. If the time is over, a refused request fails with
  /// its refusal instead, which is more informative.
  Result<void> leave(const Error& error) {
    stop_.cancel();
    const auto theirs = without_body(error);
    const auto end = [&](const QueuedSlice& ended, bool with_own_error) {
      if (ended.is_probe) return;  // it has its result
      if (with_own_error) {
        work_.fail(ended.slice, *ended.refusal);
      } else {
        work_.give_up(ended.slice, theirs);
      }
    };
    const auto end_refused = [&](const QueuedSlice& ended) {
      end(ended, ended.refusal && error.kind == ErrorKind::timeout);
    };
    for (const auto& failed : outage_.take_all()) end(failed.queued, true);
    for (const auto& [ticket, request] : under_way_) end_refused(request);
    if (next_) end_refused(*next_);
    for (const auto& queued : queue_.take_rest()) end_refused(queued);
    work_.give_up(theirs);
    return error;
  }

  const std::shared_ptr<detail::Core>& core_;
  Clock& clock_;
  const BatchOptions& options_;
  RetryPolicy policy_;
  Work& work_;
  const BatchFacts facts_;
  BatchVerdict verdict_;
  SliceQueue queue_;
  Pacer pacer_;
  OutageWatch outage_;
  CallOptions call_;  ///< the options of every request
  CancelSource stop_;
  /// Shared with callbacks, which may run after the end of a cancelled batch.
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::map<std::size_t, Request> under_way_;
  std::optional<QueuedSlice> next_;  ///< waits for its time
  BatchProgress progress_;
  CancelToken::Hook on_cancel_;  ///< last member: it may fire from here on
};

/// Runs a batch from beginning to end.
template <BatchWork Work>
Result<void> run_batch(const Client& client, const BatchOptions& options, Work& work) {
  const auto give_up = [&work](Error error) -> Result<void> {
    work.give_up(error);
    return error;
  };
  const auto core = detail::ClientAccess::core(client);
  if (!core) return give_up(moved_from());
  auto loop = core->loop();
  if (!loop) return give_up(std::move(loop).error());
  if ((*loop)->is_here()) {
    return give_up(Error{.kind = ErrorKind::config,
                         .detail = "the event loop's thread cannot wait for a batch that it has to run"});
  }
  return BatchRun<Work>(core, **loop, options, work).run();
}

/// Runs a batch of inputs; `job` is the one that its checkpoint has to belong to, if the options name one. An
/// error that stops the batch becomes the error of the inputs that it stops, as does the end of its time
/// while the checkpoint is read.
template <BatchWork Work>
void run_batch(const Client& client, const BatchOptions& options, Work& work, const JobHash& job) {
  if (!options.checkpoint.empty()) {
    const auto& core = detail::ClientAccess::core(client);
    if (!core) return work.give_up(moved_from());
    const auto& [cancel, deadline] = std::tie(options.call.cancel, options.call.deadline);
    auto next_turn = core->clock().now() + observer_turn;
    const auto why_stopped = [&]() -> std::optional<Error> {
      const auto now = core->clock().now();
      if (options.observer != nullptr && now >= next_turn) {
        next_turn = now + observer_turn;
        options.observer->on_wait();
      }
      if (cancel.cancelled()) return cancelled();
      if (deadline && now >= *deadline)
        return out_of_time(core, options.call.retry.value_or(core->retry()), now);
      return std::nullopt;
    };
    auto resumed = work.resume(options.checkpoint, job, why_stopped);
    if (!resumed) return work.give_up(resumed.error());
  }
  [[maybe_unused]] const auto run = run_batch(client, options, work);
}

}  // namespace inferwire::inline v0_1::client
