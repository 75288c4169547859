#include "engine/error_form.hpp"

#include "support/catch.hpp"

using namespace inferwire::engine;

TEST_CASE("error_body takes the form of each provider") {
  const auto refusal = refuse::invalid_value("temperature", "expected a number in [0, 2], but got 3");
  CHECK(error_body(ErrorForm::openai, refusal) ==
        R"({"error":{"message":"Invalid value for 'temperature': expected a number in [0, 2], but got 3.",)"
        R"("type":"invalid_request_error","param":"temperature","code":"invalid_value"}})");
  CHECK(error_body(ErrorForm::databricks, refusal) ==
        R"({"error_code":"INVALID_PARAMETER_VALUE",)"
        R"("message":"Invalid value for 'temperature': expected a number in [0, 2], but got 3."})");
}

TEST_CASE("error_body without a parameter has 'param': null in OpenAI's form") {
  CHECK_THAT(error_body(ErrorForm::openai, refuse::wrong_key()), inferwire_test::contains(R"("param":null)"));
  CHECK_THAT(error_body(ErrorForm::openai, refuse::failed("x")),
             inferwire_test::contains(R"("server_error")"));
}

TEST_CASE("error_body has Databricks' error_code for each cause") {
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::unknown_member("x", "x")),
             inferwire_test::contains(
                 R"({"error_code":"BAD_REQUEST","message":"Bad request: json: unknown field \"x\""})"));
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::no_endpoint("x")),
             inferwire_test::contains("ENDPOINT_NOT_FOUND"));
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::no_key()),
             inferwire_test::contains("UNAUTHENTICATED"));
  CHECK_THAT(error_body(ErrorForm::databricks, refuse::endpoint_not_found("x")),
             inferwire_test::contains("RESOURCE_DOES_NOT_EXIST"));
}

TEST_CASE("error_body cuts what it repeats and replaces bytes that are not UTF-8") {
  const auto body = error_body(ErrorForm::openai, refuse::no_endpoint("\xff" + std::string(10'000, 'x')));
  CHECK(body.size() < 300);
  CHECK_THAT(body, inferwire_test::contains("\xEF\xBF\xBD"));
}

TEST_CASE("a wrong key is 403 with a number as error_code on Databricks, 401 elsewhere") {
  CHECK(error_status(ErrorForm::databricks, refuse::wrong_key()) == 403);
  CHECK(error_body(ErrorForm::databricks, refuse::wrong_key()) ==
        R"({"error_code":403,"message":"Invalid access token."})");
  CHECK(error_status(ErrorForm::databricks, refuse::no_key()) == 401);
  CHECK(error_status(ErrorForm::openai, refuse::wrong_key()) == 401);
}

TEST_CASE("error_body of AI21's live service is 422 with the place of the fault") {
  const auto refusal = refuse::missing("model");
  CHECK(error_status(ErrorForm::fastapi, refusal) == 422);
  CHECK(error_body(ErrorForm::fastapi, refusal) ==
        R"({"detail":[{"type":"missing_required_parameter","loc":["body","model"],)"
        R"("msg":"Missing required parameter: 'model'."}]})");
  CHECK(error_status(ErrorForm::fastapi, refuse::no_key()) == 401);
  CHECK_THAT(error_body(ErrorForm::fastapi, refuse::no_key()),
             inferwire_test::contains(R"({"detail":"No API)"));
}

TEST_CASE("error_body of LMI has the names of DJL's exceptions") {
  CHECK(error_body(ErrorForm::lmi, refuse::missing("messages")) ==
        R"({"code":400,"type":"BadRequestException","message":"Missing required parameter: 'messages'."})");
  CHECK_THAT(error_body(ErrorForm::lmi, refuse::no_route("POST", "/x")),
             inferwire_test::contains(R"({"code":404,"type":"ResourceNotFoundException")"));
}

TEST_CASE("error_headers of SageMaker have x-amzn-errortype, and an unknown endpoint is 400") {
  const auto unknown = refuse::no_endpoint("e");
  CHECK(error_status(ErrorForm::sagemaker, unknown) == 400);
  CHECK(inferwire::find_header(error_headers(ErrorForm::sagemaker, unknown), "x-amzn-errortype") ==
        "ValidationError");
  CHECK(error_status(ErrorForm::sagemaker, refuse::no_signature()) == 403);
  CHECK(inferwire::find_header(error_headers(ErrorForm::sagemaker, refuse::wrong_signature()),
                               "x-amzn-errortype") == "InvalidSignatureException");
}

TEST_CASE("error_headers have Allow, Retry-After and WWW-Authenticate") {
  auto refusal = refuse::wrong_method("GET", "POST");
  refusal.retry_after = "2";
  const auto headers = error_headers(ErrorForm::openai, refusal);
  CHECK(inferwire::find_header(headers, "allow") == "POST");
  CHECK(inferwire::find_header(headers, "retry-after") == "2");
  CHECK(inferwire::find_header(error_headers(ErrorForm::openai, refuse::no_key()), "www-authenticate") ==
        "Bearer");
}
