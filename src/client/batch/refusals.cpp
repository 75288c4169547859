#include "client/batch/refusals.hpp"

#include <memory>
#include <utility>

namespace inferwire::inline v0_1::client {

bool is_refusal(const Error& error) noexcept {
  if (!error.retryable) return false;
  return error.kind == ErrorKind::rate_limit || (error.kind == ErrorKind::overloaded && error.retry_after);
}

namespace {

class BatchJudge final : public RetryJudge {
 public:
  explicit BatchJudge(std::shared_ptr<RetryJudge> callers) : callers_(std::move(callers)) {}

  Optional<Duration> judge(const FailedAttempt& failed) noexcept override {
    if (is_refusal(failed.error)) return std::nullopt;
    return callers_ ? callers_->judge(failed) : failed.wait;
  }

 private:
  std::shared_ptr<RetryJudge> callers_;
};

}  // namespace

RetryPolicy without_refusals(RetryPolicy policy) {
  policy.judge = std::make_shared<BatchJudge>(std::move(policy.judge));
  return policy;
}

}  // namespace inferwire::inline v0_1::client
