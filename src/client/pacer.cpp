#include "client/pacer.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::client {

Pacer::Pacer(std::size_t most_in_flight, const RetryPolicy& delays)
    : most_(std::max<std::size_t>(most_in_flight, 1)),
      first_delay_(delays.first_delay),
      max_delay_(delays.max_delay),
      allowed_(most_) {}

std::optional<TimePoint> Pacer::next(TimePoint now) const noexcept {
  if (under_way_ >= allowed_) return std::nullopt;
  auto at = std::max(now, held_until_);
  // Behind the end of the window there is room again.
  if (last_start_ && now < window_end_) at = std::max(at, std::min(*last_start_ + spacing_, window_end_));
  return at;
}

Pacer::Volley Pacer::on_start(TimePoint now) noexcept {
  ++under_way_;
  last_start_ = now;
  return volley_;
}

void Pacer::on_success(const RateLimits& limits, TimePoint now) noexcept {
  --under_way_;
  refusals_ = 0;
  if (allowed_ < most_ && ++successes_ >= allowed_) {
    ++allowed_;
    successes_ = 0;
  }
  spread(limits.requests, now);
}

void Pacer::on_refusal(Volley volley, std::optional<Duration> wait, TimePoint now) noexcept {
  --under_way_;
  if (volley == volley_) {
    ++volley_;
    allowed_ = std::max<std::size_t>(allowed_ / 2, 1);
    successes_ = 0;
    ++refusals_;
    held_until_ = std::max(held_until_, now + wait.value_or(own_delay()));
  } else if (wait) {
    held_until_ = std::max(held_until_, now + *wait);
  }
}

void Pacer::on_other_end() noexcept { --under_way_; }

/// Doubled with every refusal in a row.
Duration Pacer::own_delay() const noexcept {
  auto delay = first_delay_;
  for (int i = 1; i < refusals_ && delay < max_delay_; ++i) delay *= 2;
  return std::min(delay, max_delay_);
}

/// What is left of a window is shared out over its time as soon as one more round of requests would use it
/// up. Answers come in any order, and those of another server may say otherwise: the last word counts.
void Pacer::spread(const RateLimit& requests, TimePoint now) noexcept {
  if (!requests.remaining || !requests.reset) return;
  const auto counted = static_cast<std::int64_t>(under_way_);  // the server may not have seen them yet
  const auto left = std::max<std::int64_t>(*requests.remaining - counted, 0);
  const bool low = left < 2 * static_cast<std::int64_t>(allowed_);
  spacing_ = low ? Duration(requests.reset->count() / (left + 1)) : Duration::zero();
  window_end_ = low ? now + *requests.reset : TimePoint::min();
}

}  // namespace inferwire::inline v0_1::client
