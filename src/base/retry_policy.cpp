#include "inferwire/retry_policy.hpp"

#include "inferwire/clock.hpp"

#include <algorithm>
#include <mutex>

namespace inferwire::inline v0_1 {

RetryJudge::~RetryJudge() = default;

bool RetryJudge::repeats_later(const Error&) const noexcept { return false; }

namespace {

/// Each retry takes the next share of the window; shares may be taken up to one window ahead.
class AtMost final : public RetryJudge {
 public:
  AtMost(int retries, Duration window, std::shared_ptr<Clock> clock)
      : retries_(retries), window_(std::clamp(window, Duration(0), longest)), clock_(std::move(clock)) {}

  Optional<Duration> judge(const FailedAttempt& failed) noexcept override {
    if (!failed.wait || retries_ < 1) return {};
    const auto now = (clock_ ? *clock_ : Clock::system()).now();
    const auto share = std::chrono::nanoseconds(window_) / retries_;
    const std::lock_guard lock(mutex_);
    const auto taken = std::max(taken_, now) + share;
    if (taken > now + window_) return {};
    taken_ = taken;
    return failed.wait;
  }

 private:
  static constexpr Duration longest = std::chrono::hours(100'000);  // does not overflow in nanoseconds

  const int retries_;
  const Duration window_;
  const std::shared_ptr<Clock> clock_;
  std::mutex mutex_;   // guards what follows
  TimePoint taken_{};  ///< shares are taken up to this time
};

}  // namespace

std::shared_ptr<RetryJudge> RetryJudge::at_most(int retries, Duration window, std::shared_ptr<Clock> clock) {
  return std::make_shared<AtMost>(retries, window, std::move(clock));
}

RetryPolicy RetryPolicy::none() { return {.max_retries = 0}; }

RetryPolicy RetryPolicy::rate_limit_patient() {
  using std::chrono::minutes;
  using std::chrono::seconds;
  return {.max_retries = 5, .first_delay = seconds(4), .max_delay = seconds(60), .budget = minutes(5)};
}

}  // namespace inferwire::inline v0_1
