#include "client/batch/verdict.hpp"
#include "support/catch.hpp"

#include <limits>

using namespace inferwire;
using inferwire::client::BatchVerdict;

namespace {

Error of(ErrorKind kind) { return {.kind = kind, .body = "a long one"}; }

/// The number of such failures that end a batch; 0 if no number does.
int failures_that_end(BatchVerdict verdict, const Error& error) {
  for (int failures = 1; failures <= 2 * BatchVerdict::enough; ++failures) {
    verdict.on_failure(error);
    if (verdict.why_over()) return failures;
  }
  return 0;
}
int failures_that_end(const BatchVerdict& verdict, ErrorKind kind) {
  return failures_that_end(verdict, of(kind));
}

}  // namespace

TEST_CASE("BatchVerdict ends a batch at the first auth error, and at 32 that may hold for all", "[batch]") {
  const BatchVerdict alike(false, true);
  CHECK(failures_that_end(alike, ErrorKind::auth) == 1);
  CHECK(failures_that_end(alike, ErrorKind::quota) == 1);
  CHECK(failures_that_end(alike, ErrorKind::config) == 1);
  CHECK(failures_that_end(alike, ErrorKind::connection) == BatchVerdict::enough);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::timeout, .timer = "connect"}) == BatchVerdict::enough);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::timeout, .timer = "total"}) == 0);
  CHECK(failures_that_end(alike, ErrorKind::not_found) == BatchVerdict::enough);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::not_found, .code = "previous_response_not_found"}) == 0);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::not_found, .param = "response_id"}) == 0);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::not_found, .param = "previous_response_id"}) == 0);
  CHECK(failures_that_end(
            alike, {.kind = ErrorKind::not_found, .detail = "Response with id 'resp_1' not found."}) == 0);
  CHECK(failures_that_end(alike, {.kind = ErrorKind::not_found, .param = "model"}) == BatchVerdict::enough);
  CHECK(failures_that_end(alike, ErrorKind::invalid_request) == 0);
  const BatchVerdict different(false, false);
  CHECK(failures_that_end(different, ErrorKind::not_found) == 0);
  for (const auto kind :
       {ErrorKind::permission_denied, ErrorKind::unsupported, ErrorKind::overloaded, ErrorKind::server}) {
    CHECK(failures_that_end(alike, kind) == BatchVerdict::enough);
    CHECK(failures_that_end(different, kind) == 0);
  }
  CHECK(failures_that_end(different, ErrorKind::tls) == BatchVerdict::enough);
  const BatchVerdict answered_before(true, true);
  CHECK(failures_that_end(answered_before, ErrorKind::connection) == BatchVerdict::enough);
  BatchVerdict answered(false, true);
  answered.on_answer();
  CHECK(failures_that_end(answered, ErrorKind::connection) == 0);
  CHECK(failures_that_end(answered, ErrorKind::auth) == 1);
}

TEST_CASE("BatchVerdict ends a batch after 32 unusable answers in a row", "[batch]") {
  BatchVerdict verdict(true, true);
  verdict.on_answer();
  CHECK(failures_that_end(verdict, ErrorKind::decode) == BatchVerdict::enough);
  for (int i = 1; i < BatchVerdict::enough; ++i) verdict.on_failure(of(ErrorKind::decode));
  CHECK_FALSE(verdict.why_over());
  verdict.on_answer();
  CHECK(failures_that_end(verdict, ErrorKind::decode) == BatchVerdict::enough);
  CHECK(failures_that_end(BatchVerdict(false, false), ErrorKind::decode) == 0);  // redirects of some paths
}

TEST_CASE("BatchVerdict ends a batch that is only refused, as often as 8 requests may be", "[batch]") {
  constexpr int max_refusals = 12;
  constexpr int enough = BatchVerdict::enough_refused * (max_refusals + 1);
  BatchVerdict verdict(true, false);
  verdict.on_refusal(of(ErrorKind::rate_limit), enough - 1, max_refusals);
  CHECK_FALSE(verdict.why_over());
  BatchVerdict answered = verdict;
  verdict.on_refusal(of(ErrorKind::rate_limit), enough, max_refusals);
  REQUIRE(verdict.why_over());
  CHECK(verdict.why_over()->kind == ErrorKind::rate_limit);
  answered.on_answer();
  answered.on_refusal(of(ErrorKind::rate_limit), enough, max_refusals);
  CHECK_FALSE(answered.why_over());
  BatchVerdict patient(false, true);
  patient.on_refusal(of(ErrorKind::rate_limit), 1'000'000, std::numeric_limits<int>::max());
  CHECK_FALSE(patient.why_over());
  BatchVerdict impatient(false, true);
  impatient.on_refusal(of(ErrorKind::rate_limit), 1, -1);
  CHECK_FALSE(impatient.why_over());
}

TEST_CASE("BatchVerdict::is_same_with_all holds after 32 inputs were rejected alone, until one is answered",
          "[batch]") {
  BatchVerdict verdict(false, true);
  for (int i = 1; i < BatchVerdict::enough; ++i) verdict.on_rejected_alone(of(ErrorKind::invalid_request));
  CHECK_FALSE(verdict.is_same_with_all());
  verdict.on_rejected_alone(of(ErrorKind::unprocessable));
  CHECK(verdict.is_same_with_all());
  CHECK(verdict.rejection() == Error{.kind = ErrorKind::unprocessable});
  verdict.on_answer();
  CHECK_FALSE(verdict.is_same_with_all());
  for (int i = 0; i < BatchVerdict::enough; ++i) verdict.on_rejected_alone(of(ErrorKind::content_filter));
  CHECK(verdict.is_same_with_all());
  CHECK(verdict.rejection().kind == ErrorKind::content_filter);
}

TEST_CASE("BatchVerdict::why_over keeps the first reason", "[batch]") {
  BatchVerdict verdict(false, true);
  CHECK_FALSE(verdict.why_over());
  verdict.on_failure(of(ErrorKind::auth));
  verdict.on_failure(of(ErrorKind::quota));
  verdict.end(of(ErrorKind::rate_limit));
  CHECK(verdict.why_over()->kind == ErrorKind::auth);
}

TEST_CASE("an invalid request that the server reports as its own fault is not for one input", "[batch]") {
  auto error = of(ErrorKind::invalid_request);
  CHECK(inferwire::client::may_be_for_one_input(error));
  error.retryable = true;  // a 500 with a code of Databricks' for a bad request
  CHECK_FALSE(inferwire::client::may_be_for_one_input(error));
}
