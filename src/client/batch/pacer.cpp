#include "client/batch/pacer.hpp"

#include "base/saturating_time.hpp"

#include <algorithm>
#include <limits>

namespace inferwire::inline v0_1::client {

namespace {

/// Far more than can run, so that sums with it do not overflow.
constexpr std::size_t most_allowed = std::size_t{1} << 30U;

}  // namespace

Pacer::Pacer(std::size_t most_in_flight, const RetryPolicy& delays)
    : most_(std::clamp<std::size_t>(most_in_flight, 1, most_allowed)),
      first_delay_(delays.first_delay),
      max_delay_(delays.max_delay),
      max_server_delay_(delays.max_server_delay),
      allowed_(most_) {}

std::optional<TimePoint> Pacer::next(TimePoint now) const noexcept {
  if (under_way_ >= allowed_) return std::nullopt;
  auto at = std::max(now, held_until_);
  if (!last_start_) return at;
  for (const auto& [spacing, end] : {by_requests_, by_tokens_}) {
    // After the end of the window there is room again.
    if (now < end) at = std::max(at, std::min(after(*last_start_, spacing), end));
  }
  return at;
}

Pacer::Epoch Pacer::on_start(TimePoint now) noexcept {
  ran_ = ++under_way_;
  last_start_ = now;
  return epoch_;
}

void Pacer::on_success(const RateLimits& limits, TimePoint now, std::int64_t tokens) noexcept {
  --under_way_;
  refusals_ = 0;
  if (allowed_ < most_ && ++successes_ >= allowed_) {
    ++allowed_;
    successes_ = 0;
  }
  learn(tokens);
  spread(by_requests_, limits.requests.remaining, limits.requests.reset, now);
  Optional<std::int64_t> enough_for;
  if (limits.tokens.remaining) enough_for = requests_for(*limits.tokens.remaining);
  spread(by_tokens_, enough_for, limits.tokens.reset, now);
}

void Pacer::on_refusal(Epoch epoch, std::optional<Duration> wait, TimePoint now) noexcept {
  --under_way_;
  if (epoch == epoch_) {
    ++epoch_;
    // If fewer ran than are allowed, half of what is allowed might be more than ran.
    allowed_ = std::max<std::size_t>(std::min(allowed_, ran_) / 2, 1);
    successes_ = 0;
    ++refusals_;
    held_until_ = std::max(held_until_, after(now, delay(wait)));
  } else if (wait) {
    held_until_ = std::max(held_until_, after(now, *wait));
  }
}

void Pacer::on_outage(Epoch epoch, TimePoint now) noexcept {
  on_refusal(epoch, std::nullopt, now);
  allowed_ = 1;
}

void Pacer::on_other_end() noexcept { --under_way_; }

/// The server's wait. Without one, or if it was too short last time, at least the delay that doubles with
/// every consecutive refusal.
Duration Pacer::delay(std::optional<Duration> wait) const noexcept {
  if (wait && refusals_ == 1) return *wait;
  auto own = first_delay_;
  for (int i = 1; i < refusals_ && own < max_delay_; ++i) own *= 2;
  return std::max(std::min(own, max_delay_), wait.value_or(Duration::zero()));
}

void Pacer::learn(std::int64_t tokens) noexcept {
  if (tokens <= 0) return;
  // The weight of the newest value: a change in the inputs has its effect within a few rounds.
  constexpr double weight = 0.125;
  const auto newest = static_cast<double>(tokens);
  tokens_each_ = tokens_each_ > 0 ? tokens_each_ + weight * (newest - tokens_each_) : newest;
}

/// How many requests `tokens` suffice for. If the tokens per request are unknown, tokens hold nothing back
/// until none are left.
std::int64_t Pacer::requests_for(std::int64_t tokens) const noexcept {
  if (tokens <= 0) return 0;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (tokens_each_ < 1) return most;
  const double enough_for = static_cast<double>(tokens) / tokens_each_;
  return enough_for < static_cast<double>(most) ? static_cast<std::int64_t>(enough_for) : most;
}

/// Spreads what is left of a window over its time as soon as one more round of requests would use it up.
/// Answers come in any order, and from servers that may disagree: the latest one counts. Requests that would
/// be more than max_server_delay apart are not spread: the server may refuse them and say how long to wait.
void Pacer::spread(Window& window, const Optional<std::int64_t>& requests, const Optional<Duration>& reset,
                   TimePoint now) const noexcept {
  if (!requests || !reset) return;
  const auto counted = static_cast<std::int64_t>(under_way_);  // the server may not have counted them yet
  const auto left = std::max<std::int64_t>(*requests - counted, 0);
  window = {};
  if (left >= 2 * static_cast<std::int64_t>(allowed_)) return;
  const Duration spacing = *reset / (left + 1);
  if (spacing <= max_server_delay_) window = {spacing, after(now, *reset)};
}

}  // namespace inferwire::inline v0_1::client
