#include "client/call/http_error.hpp"

#include "support/catch.hpp"
#include "wire/vectors.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::client::http_error;
using namespace std::chrono_literals;

namespace {

Error error_of(int status, const std::string& body, std::vector<Header> headers = {}) {
  return http_error(ResponseHead{.status = status, .reason = "Reason", .headers = std::move(headers)}, body,
                    std::chrono::system_clock::time_point(std::chrono::seconds(784111777)));
}

}  // namespace

TEST_CASE("the messages of servers for a prompt that is too long give context_length") {
  for (const std::string words :
       {"You passed 50000 input tokens. However, the model's context length is only 40960 tokens, resulting",
        "The input (9 tokens) is longer than the model's context length (8 tokens).",
        "Input length (9 tokens) exceeds the maximum allowed length (8 tokens).",
        "This model's maximum prompt length is 131072 but the request contains 9 tokens.",
        "the input length exceeds the context length",
        "The number of tokens to keep from the initial prompt is greater than the context length.",
        "Invalid request: Your request exceeded model token limit: 131072",
        "Input validation error: `inputs` must have less than 1000 tokens. Given: 1200",
        "Please reduce the length of the messages or completion.",
        "Range of input length should be [1, 98304]"}) {
    CAPTURE(words);
    const auto error = error_of(400, R"({"error":{"message":")" + words + R"("}})");
    CHECK(error.kind == ErrorKind::context_length);
    CHECK_FALSE(error.retryable);
  }
}

TEST_CASE("status and code give the error's kind and retryable") {
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
      // a wrong model, key or id reported with 400
      {400, R"({"error":{"message":"no","code":"model_not_found"}})", ErrorKind::not_found, false},
      {400, R"({"error":{"message":"invalid model ID","code":null}})", ErrorKind::not_found, false},
      {400,
       R"({"error":{"message":"Previous response with id 'resp_1' not found.","type":"invalid_request_error",)"
       R"("param":"previous_response_id","code":"previous_response_not_found"}})",
       ErrorKind::not_found, false},
      {400,
       R"([{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":)"
       R"([{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}])",
       ErrorKind::auth, false},
      {400, R"({"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***."})",
       ErrorKind::auth, false},
      {401, "", ErrorKind::auth, false},
      {402, R"({"error":{"message":"Insufficient Balance"}})", ErrorKind::quota, false},
      {403, R"({"error_code":"PERMISSION_DENIED","message":"no"})", ErrorKind::permission_denied, false},
      {403, R"({"error_code":403,"message":"Invalid access token."})", ErrorKind::auth, false},
      {403, R"({"code":30001,"message":"Sorry, your account balance is insufficient","data":null})",
       ErrorKind::quota, false},
      {404, "", ErrorKind::not_found, false},
      {407, "", ErrorKind::config, false},
      {408, "", ErrorKind::request_timeout, true},
      {409, "", ErrorKind::conflict, true},
      {413, "", ErrorKind::too_large, false},
      {413, R"({"error":{"message":"Request too large for model m","code":"rate_limit_exceeded"}})",
       ErrorKind::too_large, false},
      {429,
       R"({"error":{"message":"Request too large for m on tokens per min","code":"rate_limit_exceeded"}})",
       ErrorKind::too_large, false},
      {422, R"({"detail":"bad"})", ErrorKind::unprocessable, false},
      {424, "", ErrorKind::failed_dependency, false},
      {429, R"({"error":{"message":"slow down","code":"rate_limit_exceeded"}})", ErrorKind::rate_limit, true},
      {429, R"({"error":{"message":"pay","code":"insufficient_quota"}})", ErrorKind::quota, false},
      {429, R"({"error":{"message":"pay","type":"exceeded_current_quota_error"}})", ErrorKind::quota, false},
      {499, "", ErrorKind::request_timeout, false},
      {500, "", ErrorKind::server, true},
      {501, "", ErrorKind::unsupported, false},
      {503, "", ErrorKind::overloaded, true},
      {505, "", ErrorKind::server, false},
      {507, "", ErrorKind::server, false},
      {530, "", ErrorKind::server, false},
      // messages of servers for a prompt that does not fit
      {400, R"({"error":{"message":"This model's maximum context length is 8 tokens.","code":400}})",
       ErrorKind::context_length, false},
      {400, R"({"message":"prompt is too long: 9 tokens > 8 maximum"})", ErrorKind::context_length, false},
      {413, R"({"error":{"message":"x","type":"exceed_context_size_error"}})", ErrorKind::context_length,
       false},
      {424, R"({"code":424,"error":"The decoder prompt (length 9) is longer than the maximum model length"})",
       ErrorKind::context_length, false},
      {500, R"({"message":"this is no refusal: maximum context length"})", ErrorKind::server, true},
      // guardrails
      {400, R"({"error_code":"BAD_REQUEST","message":"{\"finishReason\":\"input_guardrail_triggered\"}"})",
       ErrorKind::content_filter, false},
      {400, R"({"error":{"message":"x","code":"content_filter","innererror":{}}})", ErrorKind::content_filter,
       false},
      {403, R"({"error_code":"PERMISSION_DENIED","message":"Databricks-set rate limit of 0"})",
       ErrorKind::permission_denied, false},
      // LMI
      {503, R"({"code":503,"type":"WlmCapacityException","message":"m"})", ErrorKind::overloaded, true},
      {507, R"({"code":507,"type":"WlmOutOfMemoryException","message":"m"})", ErrorKind::server, false},
      {500, R"x({"code":500,"error":"error=ErrorInfo(message='bad', type='T', param=None, code=400)"})x",
       ErrorKind::invalid_request, false},
      {500, R"x({"code":500,"error":"error=ErrorInfo(message='bad', type='T', param=None, code=500)"})x",
       ErrorKind::server, true},
  };
  for (const auto& row : rows) {
    const auto error = error_of(row.status, row.body);
    INFO(row.status << " " << row.body);
    CHECK(inferwire::name(error.kind) == inferwire::name(row.kind));
    CHECK(error.retryable == row.retryable);
    CHECK(error.status == row.status);
  }
}

TEST_CASE("recorded errors of providers give the facts of their vectors") {
  std::size_t visited = 0;
  for (const auto* list : {"vectors", "malformed"}) {
    for (const auto& vector : inferwire_test::wire_index().at(list)) {
      if (vector.at("mode") != "http_error") continue;
      CAPTURE(vector.at("id").get<std::string>());
      const auto http = nlohmann::json::parse(inferwire_test::wire_file(vector));
      std::vector<Header> headers;
      for (const auto& header : http.at("headers")) headers.push_back({header.at(0), header.at(1)});
      const auto error = http_error(
          ResponseHead{
              .status = http.at("status"), .reason = http.value("reason", ""), .headers = std::move(headers)},
          http.value("body", ""));
      const auto& expected = vector.at("expect").at("error");
      const auto check = [&expected](const char* fact, const std::string& value) {
        INFO(fact);
        if (expected.contains(fact)) CHECK(value == expected.at(fact).get<std::string>());
      };
      check("code", error.code);
      check("type", error.type);
      check("param", error.param);
      check("message", error.detail);
      check("request_id", error.request_id);
      check("original_code", error.original_code);
      if (expected.contains("kind")) check("kind", std::string(inferwire::name(error.kind)));
      if (expected.contains("original_status")) CHECK(error.original_status == expected["original_status"]);
      CHECK(error.status == expected.at("status").get<int>());
      CHECK(error.retryable == expected.at("retryable").get<bool>());
      ++visited;
    }
  }
  CHECK(visited > 40);
}

TEST_CASE("SageMaker's errors take their code from the header and their kind from the container's status") {
  const auto model_error = [](const std::string& original) {
    return error_of(424, R"({"ErrorCode":"E","Message":"outer","OriginalMessage":"inner",)" + original + "}",
                    {{"x-amzn-ErrorType", "ModelError:http://internal.amazon.com/coral/"}});
  };
  const auto timed_out = model_error(R"("OriginalStatusCode":0)");
  CHECK(timed_out.code == "ModelError");
  CHECK(timed_out.type == "E");
  CHECK(timed_out.detail == "inner");
  CHECK(timed_out.kind == ErrorKind::request_timeout);
  CHECK(timed_out.retryable);
  CHECK(timed_out.status == 424);
  struct Row {
    int original;
    ErrorKind kind;
    bool retryable;
  };
  for (const auto& [original, kind, retryable] :
       {Row{400, ErrorKind::invalid_request, false}, Row{424, ErrorKind::failed_dependency, false},
        Row{429, ErrorKind::rate_limit, true}, Row{500, ErrorKind::server, true},
        Row{503, ErrorKind::overloaded, true}, Row{507, ErrorKind::server, false}}) {
    CAPTURE(original);
    const auto error = model_error("\"OriginalStatusCode\":" + std::to_string(original));
    CHECK(error.kind == kind);
    CHECK(error.retryable == retryable);
    CHECK(error.original_status == original);
  }
  const auto throttled =
      error_of(400, R"({"message":"slow down"})", {{"x-amzn-ErrorType", "ThrottlingException"}});
  CHECK(throttled.kind == ErrorKind::rate_limit);
  CHECK(throttled.retryable);
  CHECK(error_of(403, "", {{"x-amzn-ErrorType", "a.b#ExpiredTokenException"}}).kind == ErrorKind::auth);
}

TEST_CASE("a body that is binary is no message") {
  const std::string zipped("\x1f\x8b\x08\x00\x00VJ-*", 9);
  CHECK(error_of(500, zipped, {{"Content-Type", "application/json"}}).detail == "Reason");
  CHECK_THAT(error_of(500, zipped, {{"Content-Encoding", "gzip"}}).detail,
             contains("the body is encoded (gzip), which this client does not decode"));
  CHECK(error_of(500, "\x1b[2J gone", {}).detail == "Reason");
  CHECK(error_of(500, "first\r\n\tsecond", {}).detail == "first\r\n\tsecond");
  CHECK(error_of(500, R"({"error":{"message":"why"}})", {{"Content-Encoding", "gzip"}}).detail == "why");
}

TEST_CASE("an empty body leaves the reason phrase as the message") {
  CHECK(error_of(500, "").detail == "Reason");
}

TEST_CASE("the error for a redirect names the Location without query, fragment and user") {
  const auto detail_of = [](const char* location) {
    return error_of(307, "moved", {{"Location", location}}).detail;
  };
  CHECK_THAT(detail_of("https://login.test/sso?token=hunter2"), contains("https://login.test/sso,"));
  for (const auto* location :
       {"https://login.test/?token=hunter2", "https://hunter2@login.test/", "/a#hunter2"}) {
    CHECK(detail_of(location).find("hunter2") == std::string::npos);
    CHECK_THAT(detail_of(location), contains("redirects"));
  }
  // A redirect to a login page is treated like an HTML page: the answer is not the service's.
  const auto portal = error_of(302, "", {{"Location", "http://portal.test/login"}});
  CHECK(portal.kind == ErrorKind::decode);
  CHECK_FALSE(portal.retryable);
  CHECK_THAT(portal.detail, contains("login page of a network"));
  CHECK_THAT(detail_of("?next=hunter2"), contains("redirects to another place"));
  CHECK(error_of(307, "moved").detail == "moved");
  CHECK(error_of(304, "").kind == ErrorKind::decode);
  CHECK(error_of(400, "no", {{"Location", "/x"}}).detail == "no");
}

TEST_CASE("x-should-retry overrides the status, in either direction") {
  CHECK_FALSE(error_of(503, "", {{"X-Should-Retry", "false"}}).retryable);
  CHECK(error_of(400, "", {{"x-should-retry", "true"}}).retryable);
  CHECK(error_of(503, "", {{"x-should-retry", "perhaps"}}).retryable);
}

TEST_CASE("Retry-After and retry-after-ms give retry_after") {
  CHECK(error_of(429, "", {{"Retry-After", "2"}}).retry_after == 2000ms);
  CHECK(error_of(429, "", {{"retry-after-ms", "150"}, {"Retry-After", "2"}}).retry_after == 150ms);
  CHECK(error_of(429, "", {{"Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT"}}).retry_after == 10000ms);
  CHECK_FALSE(error_of(429, "", {{"Retry-After", "-1"}}).retry_after);
  CHECK_FALSE(error_of(429, "").retry_after);
}

TEST_CASE("the request id comes from the first of its headers that is there, or from the body") {
  CHECK(error_of(500, "", {{"X-Request-Id", "a"}, {"x-amzn-RequestId", "b"}}).request_id == "a");
  CHECK(error_of(500, "", {{"x-amzn-RequestId", "b"}}).request_id == "b");
  CHECK(error_of(500, "", {{"x-amzn-RequestId", "b"}}).request_id_header == "x-amzn-requestid");
  CHECK(error_of(500, "", {{"cf-ray", "z"}, {"Request-Id", "r"}}).request_id_header == "request-id");
  CHECK(error_of(500, "").request_id.empty());
  const auto in_body = error_of(500, R"({"message":"m","request_id":"c"})");
  CHECK(in_body.request_id == "c");
  CHECK(in_body.request_id_header.empty());
}

TEST_CASE("of a huge error body a bounded part is kept") {
  const auto error = error_of(500, std::string(1u << 20, 'x'));
  CHECK(error.body.size() == 64u << 10);
  CHECK(error.detail.size() <= 4096);
}
