#include "inferwire/retry_policy.hpp"

namespace inferwire::inline v0_1 {

RetryJudge::~RetryJudge() = default;

RetryPolicy RetryPolicy::none() { return {.max_retries = 0}; }

RetryPolicy RetryPolicy::rate_limit_patient() {
  using std::chrono::minutes;
  using std::chrono::seconds;
  return {.max_retries = 5, .first_delay = seconds(4), .max_delay = seconds(60), .budget = minutes(5)};
}

}  // namespace inferwire::inline v0_1
