#include "client/option_problems.hpp"

#include "support/catch.hpp"

#include <cmath>

using namespace std::chrono_literals;
using namespace inferwire;
using inferwire::client::problem_with;

TEST_CASE("problem_with names a timeout that is zero or negative", "[option_problems]") {
  CHECK_FALSE(problem_with(Timeouts{}));
  const auto zero = problem_with(Timeouts{.idle = 0ms});
  REQUIRE(zero);
  CHECK(zero->kind == ErrorKind::config);
  CHECK_THAT(zero->detail,
             inferwire_test::contains("timeout idle is 0 ms") && inferwire_test::contains("or no_limit"));
  CHECK(problem_with(Timeouts{.overall = -1ms}));
}

TEST_CASE("problem_with names what a RetryPolicy cannot be, and takes its extremes", "[option_problems]") {
  const auto refused_name = [](const RetryPolicy& policy) {
    const auto problem = problem_with(policy);
    return problem ? problem->detail : "";
  };
  CHECK(refused_name(RetryPolicy{.max_retries = 0,
                                 .first_delay = 0ms,
                                 .max_delay = 0ms,
                                 .jitter = 0,
                                 .max_server_delay = 0ms,
                                 .budget = 0ms}) == "");
  CHECK(refused_name(RetryPolicy{.jitter = 1}) == "");
  CHECK_THAT(refused_name(RetryPolicy{.max_delay = -1ms}), inferwire_test::contains("max_delay"));
  CHECK_THAT(refused_name(RetryPolicy{.max_server_delay = -1ms}),
             inferwire_test::contains("max_server_delay"));
  CHECK_THAT(refused_name(RetryPolicy{.jitter = -0.1}), inferwire_test::contains("jitter"));
  CHECK_THAT(refused_name(RetryPolicy{.jitter = std::nan("")}), inferwire_test::contains("jitter"));
}
