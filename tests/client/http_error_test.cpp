#include "client/http_error.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using inferwire::Error;
using inferwire::ErrorKind;
using inferwire::Header;
using inferwire::ResponseHead;
using inferwire::client::http_error;
using namespace std::chrono_literals;

namespace {

Error error_of(int status, const std::string& body, std::vector<Header> headers = {}) {
  return http_error(ResponseHead{.status = status, .reason = "Reason", .headers = std::move(headers)}, body,
                    std::chrono::system_clock::time_point(std::chrono::seconds(784111777)));
}

}  // namespace

TEST_CASE("status and code decide what kind of error it is and whether a retry can help") {
  struct Row {
    int status;
    const char* body;
    ErrorKind kind;
    bool retryable;
  };
  const Row rows[] = {
      {400, R"({"error":{"message":"no","code":"unknown_parameter"}})", ErrorKind::invalid_request, false},
      {400, R"({"error_code":"BAD_REQUEST","message":"prompt token count 9 exceeds the limit 8"})",
       ErrorKind::context_length, false},
      {400, R"({"error":{"message":"x","code":"context_length_exceeded"}})", ErrorKind::context_length,
       false},
      {400, R"({"error":{"message":"x","code":"content_filter"}})", ErrorKind::content_filter, false},
      {401, "", ErrorKind::auth, false},
      {403, R"({"error_code":"PERMISSION_DENIED","message":"no"})", ErrorKind::permission_denied, false},
      {403, R"({"error_code":403,"message":"Invalid access token."})", ErrorKind::auth, false},
      {404, "", ErrorKind::not_found, false},
      {408, "", ErrorKind::request_timeout, true},
      {409, "", ErrorKind::conflict, true},
      {413, "", ErrorKind::too_large, false},
      {422, R"({"detail":"bad"})", ErrorKind::unprocessable, false},
      {424, "", ErrorKind::failed_dependency, false},
      {429, R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})", ErrorKind::rate_limit, true},
      {429, R"({"error":{"message":"pay","code":"insufficient_quota"}})", ErrorKind::quota, false},
      {499, "", ErrorKind::request_timeout, false},
      {500, "", ErrorKind::server, true},
      {501, "", ErrorKind::unsupported, false},
      {503, "", ErrorKind::overloaded, true},
      {505, "", ErrorKind::server, false},
      {507, "", ErrorKind::server, false},
      {530, "", ErrorKind::server, false},
  };
  for (const auto& row : rows) {
    const auto error = error_of(row.status, row.body);
    INFO(row.status << " " << row.body);
    CHECK(inferwire::name(error.kind) == inferwire::name(row.kind));
    CHECK(error.retryable == row.retryable);
    CHECK(error.status == row.status);
  }
}

TEST_CASE("an empty body leaves the reason phrase as the message") {
  CHECK(error_of(500, "").detail == "Reason");
}

TEST_CASE("x-should-retry beats the table, in either direction") {
  CHECK_FALSE(error_of(503, "", {{"X-Should-Retry", "false"}}).retryable);
  CHECK(error_of(400, "", {{"x-should-retry", "true"}}).retryable);
  CHECK(error_of(503, "", {{"x-should-retry", "perhaps"}}).retryable);
}

TEST_CASE("the wait that the server asks for is read in all its forms") {
  CHECK(error_of(429, "", {{"Retry-After", "2"}}).retry_after == 2000ms);
  CHECK(error_of(429, "", {{"retry-after-ms", "150"}, {"Retry-After", "2"}}).retry_after == 150ms);
  CHECK(error_of(429, "", {{"Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT"}}).retry_after == 10000ms);
  CHECK_FALSE(error_of(429, "", {{"Retry-After", "-1"}}).retry_after);
  CHECK_FALSE(error_of(429, "").retry_after);
}

TEST_CASE("the first header that is there gives the request id") {
  CHECK(error_of(500, "", {{"X-Request-Id", "a"}, {"x-amzn-RequestId", "b"}}).request_id == "a");
  CHECK(error_of(500, "", {{"x-amzn-RequestId", "b"}}).request_id == "b");
  CHECK(error_of(500, "").request_id.empty());
}

TEST_CASE("of a huge error body a bounded part is kept") {
  const auto error = error_of(500, std::string(1u << 20, 'x'));
  CHECK(error.body.size() == 64u << 10);
  CHECK(error.detail.size() <= 4096);
}
