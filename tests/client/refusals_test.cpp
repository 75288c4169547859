// A batch says of some refusals that it repeats them.
#include "client/batch/refusals.hpp"

#include "support/catch.hpp"

#include <chrono>
#include <memory>

using namespace std::chrono_literals;
using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::RetryPolicy;
using inferwire::client::without_refusals;

namespace {

const Error refusal{.kind = ErrorKind::rate_limit, .status = 429, .retryable = true};

Error refusal_for(inferwire::Duration wait) {
  auto error = refusal;
  error.retry_after = wait;
  return error;
}

/// Repeats whatever failed.
struct Untiring final : inferwire::RetryJudge {
  inferwire::Optional<inferwire::Duration> judge(const inferwire::FailedAttempt& failed) noexcept override {
    return failed.wait;
  }
  bool repeats_later(const Error&) const noexcept override { return true; }
};

}  // namespace

TEST_CASE("a batch repeats refusals, up to RetryPolicy::max_server_delay", "[batch]") {
  const auto judge = without_refusals({.max_server_delay = 60s}, 12).judge;
  CHECK(judge->repeats_later(refusal));
  CHECK(judge->repeats_later(refusal_for(60s)));
  CHECK_FALSE(judge->repeats_later(refusal_for(60s + 1ms)));
  CHECK_FALSE(judge->repeats_later({.kind = ErrorKind::server, .status = 500, .retryable = true}));
}

TEST_CASE("a batch without max_refusals repeats nothing, but its caller's judge may", "[batch]") {
  for (const int none : {0, -1}) {
    CHECK_FALSE(without_refusals(RetryPolicy(), none).judge->repeats_later(refusal));
    const RetryPolicy policy{.judge = std::make_shared<Untiring>()};
    CHECK(without_refusals(policy, none).judge->repeats_later(refusal));
    CHECK(without_refusals(policy, none).judge->repeats_later(refusal_for(3600s)));
  }
}
