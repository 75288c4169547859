#include "client/batch/refusals.hpp"

#include "client/call/http_error.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::client {

bool is_refusal(const Error& error, const RetryPolicy& policy) noexcept {
  if (!error.retryable || (is_success(error.status) && !policy.errors_in_answers)) return false;
  return error.kind == ErrorKind::rate_limit || (error.kind == ErrorKind::overloaded && error.retry_after);
}

namespace {

class BatchJudge final : public RetryJudge {
 public:
  BatchJudge(RetryPolicy callers, int max_refusals)
      : callers_(std::move(callers)), max_refusals_(max_refusals) {}

  Optional<Duration> judge(const FailedAttempt& failed) noexcept override {
    if (is_refusal(failed.error, callers_)) return std::nullopt;
    return callers_.judge ? callers_.judge->judge(failed) : failed.wait;
  }
  bool repeats_later(const Error& error) const noexcept override {
    return is_repeated(error) || (callers_.judge && callers_.judge->repeats_later(error));
  }

 private:
  bool is_repeated(const Error& error) const noexcept {
    return max_refusals_ > 0 && is_refusal(error, callers_) &&
           error.retry_after.value_or(Duration::zero()) <= callers_.max_server_delay;
  }

  RetryPolicy callers_;
  int max_refusals_;
};

}  // namespace

RetryPolicy without_refusals(RetryPolicy policy, int max_refusals) {
  policy.judge = std::make_shared<BatchJudge>(policy, max_refusals);
  return policy;
}

}  // namespace inferwire::inline v0_1::client
