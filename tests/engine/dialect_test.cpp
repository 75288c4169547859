#include "engine/dialect.hpp"

#include "support/catch.hpp"

using namespace inferwire::engine;

TEST_CASE("a refusal takes the form of its provider") {
  const auto refusal = refuse::invalid_value("temperature", "expected a number in [0, 2], but got 3");
  CHECK(error_body(ErrorForm::openai, refusal) ==
        R"({"error":{"message":"Invalid value for 'temperature': expected a number in [0, 2], but got 3.",)"
        R"("type":"invalid_request_error","param":"temperature","code":"invalid_value"}})");
  CHECK(error_body(ErrorForm::databricks, refusal) ==
        R"({"error_code":"INVALID_PARAMETER_VALUE",)"
        R"("message":"Invalid value for 'temperature': expected a number in [0, 2], but got 3."})");
}

TEST_CASE("a refusal without a parameter has a null in OpenAI's form") {
  CHECK_THAT(error_body(ErrorForm::openai, refuse::wrong_key()), inferwire_test::contains(R"("param":null)"));
  CHECK_THAT(error_body(ErrorForm::openai, refuse::failed("x")),
             inferwire_test::contains(R"("server_error")"));
}

TEST_CASE("Databricks' codes follow the cause") {
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::unknown_member("x", "x")),
             inferwire_test::contains(
                 R"({"error_code":"BAD_REQUEST","message":"Bad request: json: unknown field \"x\""})"));
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::no_endpoint("x")),
             inferwire_test::contains("ENDPOINT_NOT_FOUND"));
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::wrong_key()),
             inferwire_test::contains("UNAUTHENTICATED"));
}

TEST_CASE("what a refusal repeats may be any bytes, and is not repeated at length") {
  const auto body = error_body(ErrorForm::openai, refuse::no_endpoint("\xff" + std::string(10'000, 'x')));
  CHECK(body.size() < 300);
  CHECK_THAT(body, inferwire_test::contains("\xEF\xBF\xBD"));
}
