/// \file
/// Runs every row of tests/vectors/errors.json: from an answer to the error that a program can act on.

#include "client/call/http_error.hpp"
#include "support/catch.hpp"
#include "support/vectors.hpp"

#include <string>

using namespace inferwire;
using namespace inferwire_test;
using namespace std::chrono_literals;

namespace {

nlohmann::json error_rows() {
  return inferwire_test::vectors(
      "errors.json", {"name", "source", "status", "reason", "headers", "body", "embedded", "expect"});
}

Error error_of(const nlohmann::json& row) {
  const ResponseHead head{.status = row.at("status"),
                          .reason = row.value("reason", "Reason"),
                          .headers = inferwire_test::headers_of(row)};
  const auto body = row.at("body").get<std::string>();
  if (row.value("embedded", false)) {
    auto facts = inferwire::wire::error_in_document(body);
    REQUIRE(facts);
    return inferwire::client::embedded_error(head, *std::move(facts), body);
  }
  return inferwire::client::http_error(head, body, std::chrono::system_clock::time_point(784111777s));
}

}  // namespace

TEST_CASE("error answers become the errors of errors.json", "[errors]") {
  const auto rows = error_rows();
  CHECK(rows.size() >= 80);
  for (const auto& row : rows) {
    INFO(row.at("name").get<std::string>());
    const auto error = error_of(row);
    const auto& expected = row.at("expect");
    refuse_others(expected, {"kind", "retryable", "message", "message_has", "code", "type", "param",
                             "original_code", "request_id", "original_status", "retry_after_ms"});
    const auto check = [&expected](const char* fact, const auto& value) {
      INFO(fact);
      if (expected.contains(fact)) CHECK(nlohmann::json(value) == expected.at(fact));
    };
    check("kind", std::string(inferwire::name(error.kind)));
    check("retryable", error.retryable);
    check("message", error.detail);
    check("code", error.code);
    check("type", error.type);
    check("param", error.param);
    check("original_code", error.original_code);
    check("request_id", error.request_id);
    check("original_status", error.original_status);
    check("retry_after_ms", error.retry_after.value_or(-1ms).count());
    if (expected.contains("message_has")) CHECK_THAT(error.detail, contains(expected.at("message_has")));
    CHECK(error.status == row.at("status"));
  }
}

TEST_CASE("Error::message of errors.json has kind, provider, status, code and request id in one line",
          "[errors]") {
  for (const auto& row : error_rows()) {
    INFO(row.at("name").get<std::string>());
    auto error = error_of(row);
    error.provider = "openai";
    const auto message = error.message();
    CHECK(message.starts_with(std::string(inferwire::name(error.kind)) + " from openai"));
    CHECK_THAT(message, contains("HTTP " + std::to_string(error.status)));
    CHECK_THAT(message, contains(error.code));
    CHECK(message.find('\n') == message.npos);
    CHECK_THAT(message, contains(error.request_id));
  }
}
