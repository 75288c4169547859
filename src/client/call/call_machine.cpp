#include "client/call/call_machine.hpp"

#include "base/ended_call.hpp"
#include "base/saturating_time.hpp"
#include "client/call/http_error.hpp"
#include "client/counted.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

bool is_timer(const Error& error) noexcept { return error.kind == ErrorKind::timeout; }

/// Whether the transfer failed, as opposed to an error in the answer.
bool is_transfer(const Error& error) noexcept {
  return is_timer(error) || error.kind == ErrorKind::connection || error.kind == ErrorKind::tls ||
         error.kind == ErrorKind::truncated;
}

Duration rounded(double milliseconds) noexcept {
  constexpr double too_many = 0x1p63;
  return milliseconds < too_many ? Duration(std::llround(milliseconds)) : Duration::max();
}

/// The delay before retry `number`, counted from 0.
Duration backoff(const RetryPolicy& policy, int number, double chance) noexcept {
  // After this many doublings, any first delay exceeds the maximum.
  constexpr int most_doublings = 40;
  const auto doubled =
      std::ldexp(static_cast<double>(policy.first_delay.count()), std::min(number, most_doublings));
  const auto delay = std::min(doubled, static_cast<double>(policy.max_delay.count()));
  return rounded(delay * (1 - policy.jitter * chance));
}

/// The delay that the server requests, or more.
Duration later(const RetryPolicy& policy, Duration wish, double chance) noexcept {
  const auto delay = static_cast<double>(wish.count()) * (1 + policy.jitter * chance);
  return std::min(rounded(delay), policy.max_server_delay);
}

}  // namespace

/// A deadline limits the overall timeout.
void CallMachine::begin(TimePoint now) {
  call_began_ = now;
  if (!deadline_) return;
  const auto left = *deadline_ > now ? std::chrono::ceil<Duration>(*deadline_ - now) : Duration::zero();
  timeouts_.overall = std::min(timeouts_.overall.value_or(left), left);
}

void CallMachine::on_preparing(TimePoint now) {
  if (phase_ == Phase::idle) begin(now);
  phase_ = Phase::preparing;
}

void CallMachine::on_attempt(TimePoint now) {
  if (phase_ == Phase::idle) begin(now);
  ++attempt_;
  phase_ = Phase::connecting;
  current_ = {.began = now};
}

void CallMachine::on_connected(TimePoint now) {
  // The first_byte timer runs from here, and restarts whenever a part of the request is sent: this detects a
  // request that cannot be sent, while a long one may take its time.
  phase_ = Phase::waiting;
  current_.waiting_since = now;
  current_.connected_at = now;
}

void CallMachine::on_sending(TimePoint now) noexcept {
  if (phase_ == Phase::waiting) current_.waiting_since = now;
}

void CallMachine::on_sent(TimePoint now) {
  if (!current_.sent_at) current_.sent_at = now;
  if (phase_ == Phase::reading) return;
  phase_ = Phase::waiting;
  current_.waiting_since = now;
}

void CallMachine::on_head(int status, TimePoint now) noexcept {
  current_.status = status;
  current_.head_at = now;
}

void CallMachine::on_bytes(std::uint64_t count, TimePoint now) {
  if (count == 0) return;
  if (phase_ != Phase::reading) {
    phase_ = Phase::reading;
    current_.first_byte_at = now;
    current_.last_event = now;
  }
  current_.bytes += count;
  current_.last_byte = now;
}

void CallMachine::on_reader_waiting(TimePoint now) noexcept {
  if (std::exchange(current_.had_event, false)) current_.last_byte = current_.last_event = now;
}

void CallMachine::on_failure(Error& error, TimePoint now) {
  if (is_attempting()) {
    Attempt attempt{.kind = error.kind,
                    .status = error.status,
                    .request_id = error.request_id,
                    .elapsed = std::chrono::duration_cast<Duration>(now - current_.began),
                    .waited = std::exchange(waited_, Duration::zero())};
    if (error.status == 0 || is_success(error.status)) {
      attempt.failure =
          std::string(name(error.kind)) + ": " + (error.timer.empty() ? error.detail : error.timer);
    }
    attempts_.push_back(std::move(attempt));
  }
  auto attempts = attempts_;
  std::ranges::move(error.attempts, std::back_inserter(attempts));
  error.attempts = std::move(attempts);
  if (error.kind == ErrorKind::connection || is_timer(error)) failed_at_ = now;
}

template <class Visit>
void CallMachine::each_timer(Visit visit) const {
  auto timer = [&visit](const char* name, const Optional<Duration>& limit, TimePoint since) {
    if (limit) visit(Timer{name, *limit, after(since, *limit)});
  };
  if (phase_ == Phase::idle) return;
  timer(timers::overall, timeouts_.overall, call_began_);
  if (phase_ < Phase::connecting) return;
  if (form_ == AnswerForm::whole) timer(timers::total, timeouts_.total, current_.began);
  if (form_ == AnswerForm::stream && current_.status != 0 && !is_success(current_.status)) {
    const Duration limit = longest_refusal;
    timer(timers::total, std::min(limit, timeouts_.total.value_or(limit)), current_.head_at);
  }
  if (phase_ == Phase::connecting) timer(timers::connect, timeouts_.connect, current_.began);
  if (phase_ == Phase::waiting) timer(timers::first_byte, timeouts_.first_byte, current_.waiting_since);
  if (phase_ == Phase::reading && form_ == AnswerForm::stream) {
    timer(timers::idle, timeouts_.idle, current_.expects_end ? current_.last_event : current_.last_byte);
    timer(timers::idle_event, timeouts_.idle_event, current_.last_event);
  }
}

TimePoint CallMachine::ends_at() const noexcept {
  return timeouts_.overall ? after(call_began_, *timeouts_.overall) : TimePoint::max();
}

TimePoint CallMachine::next_deadline() const {
  auto next = TimePoint::max();
  each_timer([&next](const Timer& timer) { next = std::min(next, timer.deadline); });
  return next;
}

/// How far the call got, as text.
std::string CallMachine::progress() const {
  if (attempt_ == 0) return "before the first attempt";
  auto text = "in attempt " + std::to_string(attempt_) + "; received by then: ";
  if (current_.status == 0) return text + "nothing";
  return text + "status " + std::to_string(current_.status) + ", " + counted(current_.bytes, "byte") + ", " +
         counted(current_.events, "event");
}

std::optional<Error> CallMachine::expired(TimePoint now) const {
  const auto next = next_deadline();
  if (next == TimePoint::max() || now < next) return std::nullopt;
  return timeout(next);
}

std::optional<Error> CallMachine::out_of_time(TimePoint now) const {
  if (phase_ == Phase::idle || now < ends_at()) return std::nullopt;
  return timeout(ends_at());
}

/// The error of the timer that fires at `at`, or before that; there must be one. `overall` comes first.
Error CallMachine::timeout(TimePoint at) const {
  std::optional<Timer> fired;
  each_timer([&](const Timer& timer) {
    if (!fired && timer.deadline <= at) fired = timer;
  });
  return Error{.kind = ErrorKind::timeout,
               .detail = std::string("the timer ") + fired->name + " fired after " +
                         std::to_string(fired->limit.count()) + " ms " + progress(),
               .status = current_.status,
               .timer = fired->name,
               .retryable = true};
}

Timings CallMachine::timings(TimePoint now) const {
  if (phase_ == Phase::idle) return {};  // it ended before it began
  const auto since_start = [this](const std::optional<TimePoint>& at) {
    using std::chrono::microseconds;
    return at ? std::optional(std::chrono::duration_cast<microseconds>(*at - call_began_)) : std::nullopt;
  };
  return {.connected = since_start(current_.connected_at),
          .sent = since_start(current_.sent_at),
          .first_byte = since_start(current_.first_byte_at),
          .first_event = since_start(current_.first_event_at),
          .end = since_start(now)};
}

std::optional<TimePoint> CallMachine::next_attempt(const Error& error, const Failure& failure,
                                                   TimePoint now) {
  // Delivered events cannot be taken back; fetching a token had its own attempts.
  if (current_.events > 0 || !is_attempting() || ends_call(error)) return {};
  if (failure.renewed && !renewed_) {
    renewed_ = true;
    phase_ = Phase::resting;
    return now;
  }
  if (retries_ >= policy_.max_retries) return {};
  auto wait = wait_after(error, failure.chance, now);
  if (policy_.judge) wait = policy_.judge->judge({attempt_, error, failure.headers, wait});
  if (!wait) return {};
  wait = std::max(*wait, Duration::zero());
  const auto at = after(now, *wait);
  if (!has_time_until(at)) return {};
  ++retries_;
  waited_ = *wait;
  phase_ = Phase::resting;
  return at;
}

/// Whether another attempt could have another outcome, by the policy's rules.
bool CallMachine::curable(const Error& error) const noexcept {
  if (is_timer(error) && error.timer != timers::connect && !policy_.timeouts) return false;
  if (is_success(error.status) && !is_transfer(error) && !policy_.errors_in_answers) return false;
  return error.retryable;
}

/// Whether another attempt may begin at `at`.
bool CallMachine::has_time_until(TimePoint at) const noexcept {
  return at < ends_at() && (!policy_.budget || at <= after(call_began_, *policy_.budget));
}

/// The wait before the next attempt, by the policy's rules; std::nullopt: there is none.
std::optional<Duration> CallMachine::wait_after(const Error& error, double chance,
                                                TimePoint now) const noexcept {
  if (!curable(error)) return {};
  if (error.retry_after && *error.retry_after > policy_.max_server_delay) return {};
  auto wait =
      error.retry_after ? later(policy_, *error.retry_after, chance) : backoff(policy_, retries_, chance);
  // Jitter alone must not end a call.
  if (error.retry_after && !has_time_until(after(now, wait))) wait = *error.retry_after;
  return has_time_until(after(now, wait)) ? std::optional(wait) : std::nullopt;
}

}  // namespace inferwire::inline v0_1::client
