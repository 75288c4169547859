// SageMaker's mount: a container behind a service that signs, frames and wraps.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"
#include "protocol/signing/sigv4.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "support/unframed.hpp"

#include <nlohmann/json.hpp>

using namespace inferwire;
using namespace inferwire_test;
using Document = nlohmann::json;

namespace {

const std::string whole = "/endpoints/inferwire-toy/invocations";
const std::string framed = whole + "-response-stream";

std::string chat_body(const std::string& members) {
  return R"({"messages":[{"role":"user","content":"Rivers?"}],)" + members + "}";
}

}  // namespace

TEST_CASE("SageMaker passes a container's answer on") {
  const auto answer = ask(shared_engine(), whole, chat_body(R"("max_tokens":3)"));
  CHECK(answer.head.status == 200);
  CHECK(find_header(answer.head.headers, "x-amzn-requestid"));
  CHECK(find_header(answer.head.headers, "x-amzn-invoked-production-variant") == "AllTraffic");
  CHECK(Document::parse(answer.body)["object"] == "chat.completion");
}

TEST_CASE("SageMaker frames what the container streams") {
  const auto request = chat_body(R"("max_tokens":6,"seed":1,"stream":true)");
  const auto answer = ask(shared_engine(), framed, request);
  CHECK(answer.streamed);
  CHECK(find_header(answer.head.headers, "content-type") == "application/vnd.amazon.eventstream");
  CHECK(find_header(answer.head.headers, "x-amzn-sagemaker-content-type") == "application/jsonlines");
  const auto text = [](const std::string& body) {
    std::string out;
    for (std::size_t at = 0; at < body.size(); at = body.find('\n', at) + 1) {
      const auto line = Document::parse(body.substr(at, body.find('\n', at) - at));
      out += line["choices"][0]["delta"]["content"].get<std::string>();
    }
    return out;
  };
  CHECK(text(unframed(answer.body)) == text(ask(shared_engine(), "/invocations", request).body));
}

TEST_CASE("a stream asked for at /invocations comes as one body") {
  const auto answer = ask(shared_engine(), whole, chat_body(R"("max_tokens":3,"stream":true)"));
  CHECK_FALSE(answer.streamed);
  CHECK(find_header(answer.head.headers, "content-type") == "application/jsonlines");
}

TEST_CASE("SageMaker wraps the container's error in its own") {
  const auto path = GENERATE(std::string("/endpoints/inferwire-toy/invocations"),
                             "/endpoints/inferwire-toy/invocations-response-stream");
  const auto answer = ask(shared_engine(), path, chat_body(R"("temperature":3)"));
  CHECK(answer.head.status == 424);
  CHECK(find_header(answer.head.headers, "x-amzn-errortype") == "ModelError");
  const auto error = Document::parse(answer.body);
  CHECK(error["OriginalStatusCode"] == 400);
  CHECK(Document::parse(error["OriginalMessage"].get<std::string>())["type"] == "BadRequestException");
}

TEST_CASE("SageMaker refuses an unknown endpoint") {
  const auto answer = ask(shared_engine(), "/endpoints/nobody/invocations", chat_body(R"("max_tokens":1)"));
  CHECK(answer.head.status == 400);
  CHECK(find_header(answer.head.headers, "x-amzn-errortype") == "ValidationError");
  CHECK(find_header(answer.head.headers, "x-amzn-requestid"));
  CHECK_FALSE(find_header(answer.head.headers, "x-request-id"));
}

TEST_CASE("SageMaker refuses a body that is too long before its signature is checked") {
  engine::Engine engine({.aws_keys = engine::AwsKeys{"AKIDEXAMPLE", Secret("hidden")}});
  const auto answer = ask(engine, whole, std::string(6'291'457, ' '));
  CHECK(answer.head.status == 413);
  CHECK(find_header(answer.head.headers, "x-amzn-errortype") == "ValidationError");
}

TEST_CASE("EngineOptions::aws_keys verifies signatures") {
  if (const auto problem = protocol::problem_with_signing()) {
    WARN("not tested: " << problem->detail);
    return;
  }
  const auto engine = std::make_shared<engine::Engine>(
      engine::EngineOptions{.aws_keys = engine::AwsKeys{"AKIDEXAMPLE", Secret("hidden")}});
  const auto client_with = [&](const char* key, const char* secret) {
    ClientOptions options{
        .provider = Provider::sagemaker("eu-west-1"),
        .credential = Credential::sigv4(
            {.access_key_id = key, .secret_access_key = Secret(secret), .region = "eu-west-1"})};
    options.transport = std::make_shared<engine::EngineTransport>(engine);
    return Client(std::move(options));
  };
  const chat::Request request{
      .model = "inferwire-toy", .messages = {chat::user("Rivers?")}, .max_tokens = 3, .seed = 1};
  const auto right = client_with("AKIDEXAMPLE", "hidden");
  const auto answered = right.chat.create(request);
  INFO((answered ? "" : answered.error().message()));
  CHECK(answered);
  CHECK(right.chat.stream(request).collect());
  for (const auto& wrong : {client_with("AKIDEXAMPLE", "other"), client_with("AKIDOTHER", "hidden")}) {
    const auto refused = wrong.chat.create(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == 403);
  }
  const auto unsigned_answer = ask(*engine, whole, chat_body(R"("max_tokens":1)"));
  CHECK(unsigned_answer.head.status == 403);
  CHECK(find_header(unsigned_answer.head.headers, "x-amzn-errortype") ==
        "MissingAuthenticationTokenException");
  const auto garbled =
      ask(*engine, {.url = "http://e" + whole,
                    .headers = {{"authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE"}},
                    .body = chat_body(R"("max_tokens":1)")});
  CHECK(garbled.head.status == 403);
}

TEST_CASE("the typed client gets the same through SageMaker, whole and streamed") {
  const Client client({.provider = Provider::sagemaker("eu-west-1"),
                       .credential = Credential::none(),
                       .transport = std::make_shared<engine::EngineTransport>(
                           std::make_shared<engine::Engine>(engine::EngineOptions{.created = 1}))});
  const chat::Request request{
      .model = "inferwire-toy", .messages = {chat::user("Rivers?")}, .max_tokens = 12, .seed = 4};
  const auto answer = client.chat.create(request);
  REQUIRE(answer);
  const auto streamed = client.chat.stream(request).collect();
  REQUIRE(streamed);
  CHECK(streamed.response.text() == answer->text());
  CHECK(streamed.response.finish() == answer->finish());
}
