/// \file
/// A batch under way. All that it decides, it decides on the thread that called it: which request is next,
/// when, and what becomes of one that ended. The event loop does no more than put answers into a mailbox.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "client/batch/mailbox.hpp"
#include "client/batch/pacer.hpp"
#include "client/batch/refusals.hpp"
#include "client/batch/slice.hpp"
#include "client/batch/verdict.hpp"
#include "client/call/call.hpp"
#include "client/call/call_machine.hpp"
#include "client/core.hpp"
#include "client/loop/loop.hpp"
#include "client/loop/trampoline.hpp"
#include "client/unsent.hpp"
#include "inferwire/batch.hpp"

namespace inferwire::inline v0_1 {

namespace detail {
struct ClientAccess {
  static const std::shared_ptr<Core>& core(const Client& client) noexcept { return client.core(); }
};
}  // namespace detail

namespace client {

/// How many tokens an answer says that it took; 0 when it does not.
template <class Response>
std::int64_t tokens_of(const Response& answer) {
  return answer.usage ? answer.usage->total().value_or(0) : 0;
}
std::int64_t tokens_of(const RawResponse& answer);

/// Errors that stay until the end of a batch, of which there may be as many as inputs.
class KeptErrors {
 public:
  Error keep(Error error) {
    constexpr int whole = 32;
    constexpr std::size_t most_bytes = 1024;
    if (++count_ > whole && error.body.size() > most_bytes) error.body = error.body.substr(0, most_bytes);
    return error;
  }

 private:
  int count_{};
};

/// What a batch is about.
template <class Work>
concept BatchWork = requires(Work& work, const Work& seen, const Slice& slice, const Error& error,
                             const CallOptions& options, typename Work::Response answer) {
  { seen.inputs() } -> std::same_as<std::size_t>;  // in all slices; 0: not known
  { seen.done() } -> std::same_as<std::size_t>;    // before anything is asked
  { seen.alike() } -> std::same_as<bool>;    // whether all requests ask the same model, at the same path
  { seen.sampled() } -> std::same_as<bool>;  // whether inputs that are rejected may stand for all others
  { work.next() } -> std::same_as<std::optional<Slice>>;  // nothing: there are no more
  { work.start(slice, options) } -> std::same_as<Pending<typename Work::Response>>;
  // An error: the answer is of no use.
  { work.keep(slice, std::move(answer)) } -> std::same_as<std::optional<Error>>;
  work.fail(slice, error);
  work.give_up(error);  // fails whatever `next` has not given
};

template <BatchWork Work>
class BatchRun {
  using Mailbox = BatchMailbox<typename Work::Response>;

 public:
  /// Borrows all of these for its life.
  BatchRun(const std::shared_ptr<detail::Core>& core, detail::Loop& loop, const BatchOptions& options,
           Work& work)
      : core_(core),
        clock_(loop.clock()),
        options_(options),
        policy_(options.call.retry.value_or(core->retry())),
        work_(work),
        verdict_(work.done() > 0, work.alike()),
        pacer_(options.in_flight, policy_),
        call_(options.call),
        on_cancel_(options.call.cancel, &stop_and_wake, this) {
    call_.retry = without_refusals(policy_);
    call_.cancel = stop_.token();
    call_.executor = Executor::on_loop();
    progress_.inputs = work.inputs();
    progress_.done = work.done();
  }
  /// Nothing goes on without it, also where the observer has thrown.
  ~BatchRun() { stop_.cancel(); }
  BatchRun(const BatchRun&) = delete;
  BatchRun& operator=(const BatchRun&) = delete;

  /// The error, if any, is why it ended before all was asked.
  Result<void> run() {
    for (;;) {
      const auto until = begin_what_may();
      if (options_.call.cancel.cancelled()) return leave(cancelled());
      if (under_way_.empty() && (verdict_.why_over() || !next_)) break;
      drain_trampoline();  // requests that ended as they began may be told of in that way
      settle(mailbox_->wait(clock_, until));
    }
    if (const auto& why = verdict_.why_over()) return leave(*why);
    fail_later();
    return {};
  }

 private:
  struct Request {
    Slice slice;
    int refusals{};                    ///< how often the server had enough when it came
    std::unique_ptr<Error> refusal{};  ///< the last of them; nullptr: none
    TimePoint refused_at{};
    Duration waited{};  ///< since then, before this turn
    Pacer::Epoch epoch{};
  };

  static void stop_and_wake(void* self) {
    auto* const run = static_cast<BatchRun*>(self);
    run->stop_.cancel();
    run->mailbox_->wake();
  }

  /// Begins as many requests as may begin; when the next one may.
  TimePoint begin_what_may() {
    for (;;) {
      settle(mailbox_->take());
      const auto now = clock_.now();
      const auto at = pacer_.next(now);
      if (verdict_.why_over() || !at || options_.call.cancel.cancelled()) break;
      if (!next_) {
        next_ = draw();
        if (!next_) break;
        continue;  // it may have taken its time
      }
      if (options_.call.deadline && *at >= *options_.call.deadline) {
        // An answer to what is under way may say that there is room again.
        if (under_way_.empty()) verdict_.end(out_of_time(now, *at));
        break;
      }
      if (*at > now) return *at;
      begin(*std::exchange(next_, std::nullopt), now);
    }
    return TimePoint::max();
  }

  /// The error of a call whose deadline has passed; `at`: when it could begin.
  Error out_of_time(TimePoint now, TimePoint at) const {
    CallMachine call({}, policy_, AnswerForm::whole, now);
    call.on_preparing(now);
    auto error = unsent(core_, *call.expired(now));
    if (at > now) error.detail += "; the server has no room for it before the deadline";
    return error;
  }

  std::optional<Request> draw() {
    if (work_.sampled() && verdict_.is_same_with_all() && !std::exchange(thinned_out_, true)) thin_out();
    if (auto request = pop(again_)) return request;
    if (const auto slice = work_.next()) return Request{*slice};
    return verdict_.is_same_with_all() ? std::nullopt : pop(later_);
  }

  /// Those that were rejected may all be from the beginning. Of the slices that are left, as many as tell
  /// something of all are asked, at equal distances; the others wait until there is nothing else to ask.
  void thin_out() {
    auto rest = std::exchange(again_, {});
    while (const auto slice = work_.next()) rest.push_back({*slice});
    constexpr std::size_t enough = BatchVerdict::enough;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const bool asked = rest.size() <= enough || i * enough / rest.size() != (i + 1) * enough / rest.size();
      (asked ? again_ : later_).push_back(std::move(rest[i]));
    }
  }

  static std::optional<Request> pop(std::deque<Request>& requests) {
    if (requests.empty()) return std::nullopt;
    auto request = std::move(requests.front());
    requests.pop_front();
    return request;
  }

  void begin(Request request, TimePoint now) {
    const auto ticket = progress_.requests++;
    const auto slice = request.slice;
    request.epoch = pacer_.on_start(now);
    if (request.refusal) request.waited = std::chrono::ceil<Duration>(now - request.refused_at);
    under_way_.emplace(ticket, std::move(request));
    const auto info = std::make_shared<ResponseInfo>();
    call_.info = info;
    work_.start(slice, call_).then([mailbox = mailbox_, info, ticket](Result<typename Work::Response> reply) {
      mailbox->put({ticket, std::move(reply), info});
    });
  }

  void settle(std::vector<typename Mailbox::Completion> arrived) {
    for (auto& completion : arrived) settle(std::move(completion));
  }

  void settle(typename Mailbox::Completion completion) {
    const auto ended = under_way_.extract(completion.ticket);
    const Request& request = ended.mapped();
    const auto& slice = request.slice;
    std::optional<Error> error;
    if (completion.reply) {
      const auto limits = completion.info->rate_limits();
      const bool counted = limits.tokens != RateLimit{};
      pacer_.on_success(limits, clock_.now(), counted ? tokens_of(*completion.reply) : 0);
      error = work_.keep(slice, *std::move(completion.reply));
      verdict_.on_answer();
      if (!error) progress_.done += slice.count;
    } else {
      error = std::move(completion.reply).error();
      add_turns_before(*error, request);
      if (is_refusal(*error, policy_)) {
        pacer_.on_refusal(request.epoch, error->retry_after, clock_.now());
      } else {
        pacer_.on_other_end();
      }
    }
    if (error && !try_again(request, *error, completion.info->head.headers)) fail(slice, *error);
    report();
  }

  /// The error tells of all attempts, like that of a call which is tried again.
  static void add_turns_before(Error& error, const Request& request) {
    if (!request.refusal) return;
    auto attempts = request.refusal->attempts;
    if (!error.attempts.empty()) error.attempts.front().waited = request.waited;
    attempts.insert(attempts.end(), error.attempts.begin(), error.attempts.end());
    error.attempts = std::move(attempts);
  }

  bool try_again(const Request& request, const Error& error, const Headers& headers) {
    const auto& slice = request.slice;
    if (is_refusal(error, policy_)) {
      if (!has_another_turn(request, error, headers)) return false;
      again_.push_back({slice, request.refusals + 1, std::make_unique<Error>(error), clock_.now()});
      return true;
    }
    if (!is_too_large(error) && !may_be_for_one_input(error)) return false;
    if (slice.count == 1) verdict_.on_rejected_alone(error);
    if (verdict_.why_over() || slice.count == 1) return false;
    // The size is not at fault where single inputs are rejected, too.
    const bool for_size = is_too_large(error) && !verdict_.is_same_with_all();
    if (for_size || verdict_.answered()) {
      halve(slice);
    } else {
      try_one_of(slice);
    }
    return true;
  }

  /// Whether a request that was refused is made again. The caller's judge has the last word of that, but not
  /// of how long the batch waits.
  bool has_another_turn(const Request& request, const Error& error, const Headers& headers) {
    if (error.retry_after.value_or(Duration::zero()) > policy_.max_server_delay) {
      verdict_.end(error);  // nobody waits so long, for this request or another
    }
    if (verdict_.why_over() || request.refusals >= options_.max_refusals) return false;
    if (!policy_.judge) return true;
    const auto wait = std::chrono::ceil<Duration>(pacer_.held_until() - clock_.now());
    const int number = static_cast<int>(error.attempts.size());
    return policy_.judge->judge({number, error, headers, std::max(wait, Duration::zero())}).has_value();
  }

  void halve(const Slice& slice) {
    const auto half = slice.count / 2;
    again_.push_front({{slice.first + half, slice.count - half}});
    again_.push_front({{slice.first, half}});
  }

  /// Asks for one input of a slice alone: while nothing was answered, what is wrong may be the same with all
  /// inputs. The rest of the slice waits until there is nothing else to ask.
  void try_one_of(const Slice& slice) {
    const auto half = slice.count / 2;
    again_.push_front({{slice.first + half, 1}});
    later_.push_back({{slice.first, half}});
    const auto behind = slice.count - half - 1;
    if (behind > 0) later_.push_back({{slice.first + half + 1, behind}});
  }

  void fail(const Slice& slice, const Error& error) {
    progress_.failed += slice.count;
    verdict_.on_failure(error);
    work_.fail(slice, error);
  }

  /// What is the same with all.
  void fail_later() {
    if (later_.empty()) return;
    for (const auto& request : later_) fail(request.slice, verdict_.rejection());
    report();
  }

  void report() {
    if (options_.observer == nullptr) return;
    progress_.in_flight = under_way_.size();
    progress_.allowed = pacer_.allowed();
    options_.observer->on_progress(progress_);
  }

  /// Everything that has no result yet comes to this. Where the time is over, a request that was refused
  /// comes to its refusal, which says more.
  Result<void> leave(const Error& error) {
    stop_.cancel();
    const auto theirs = without_body(error);
    const auto end = [&](const Request& request) {
      const bool own = request.refusal && error.kind == ErrorKind::timeout;
      work_.fail(request.slice, own ? *request.refusal : theirs);
    };
    for (const auto& [ticket, request] : under_way_) end(request);
    if (next_) end(*next_);
    for (const auto& request : again_) end(request);
    for (const auto& request : later_) end(request);
    work_.give_up(theirs);
    return error;
  }

  const std::shared_ptr<detail::Core>& core_;
  Clock& clock_;
  const BatchOptions& options_;
  RetryPolicy policy_;
  Work& work_;
  BatchVerdict verdict_;
  Pacer pacer_;
  CallOptions call_;  ///< the options of every request
  CancelSource stop_;
  /// Shared with callbacks, which may come after the end of a batch that was cancelled.
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::map<std::size_t, Request> under_way_;
  std::deque<Request> again_;
  std::deque<Request> later_;  ///< asked when there is nothing else
  bool thinned_out_{};
  std::optional<Request> next_;  ///< waits for its time
  BatchProgress progress_;
  CancelToken::Hook on_cancel_;  ///< last: it may fire from here on
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

}  // namespace client

}  // namespace inferwire::inline v0_1
