#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/credential.hpp"
#include "protocol/signing/sha256.hpp"
#include "support/answered_client.hpp"
#include "support/catch.hpp"
#include "support/fake_environment.hpp"
#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

using namespace inferwire;
using namespace inferwire_test;
using inferwire::testing::Reply;
using nlohmann::json;

namespace {

const inferwire::Instant new_year{
    .wall = std::chrono::system_clock::time_point(std::chrono::seconds(1767225600))};
const chat::Request hello{.model = "tides-lmi", .messages = {chat::user("hi")}};

/// An environment of variables only, in which no instance is asked for keys.
std::shared_ptr<FakeEnvironment> variables(FakeEnvironment::Texts texts) {
  texts.emplace("AWS_EC2_METADATA_DISABLED", "true");
  return std::make_shared<FakeEnvironment>(std::move(texts));
}

}  // namespace

TEST_CASE("Credential::sigv4 signs like the known answers and leaves other headers alone") {
  const auto known = json::parse(inferwire_test::fixture("wire/sagemaker/sigv4_known_answers.json"));
  for (const auto& answer : known["cases"]) {
    if (answer["service"] != "sagemaker") continue;
    CAPTURE(answer["name"].get<std::string>());
    const auto& headers = answer["headers"];
    HttpRequest request{
        .url = "https://" + headers["Host"].get<std::string>() + answer["uri"].get<std::string>(),
        .headers = {{"Content-Type", "application/json"}, {"User-Agent", "test"}, {"Accept", "a/b"}},
        .body = answer["payload"].get<std::string>()};
    if (headers.contains("X-Amzn-SageMaker-Accept")) {
      request.headers.push_back({"X-Amzn-SageMaker-Accept", headers["X-Amzn-SageMaker-Accept"]});
    }
    const auto credential =
        Credential::sigv4({.access_key_id = known["access_key"],
                           .secret_access_key = inferwire::Secret(known["secret_key"].get<std::string>()),
                           .session_token = inferwire::Secret(headers.value("X-Amz-Security-Token", "")),
                           .region = "eu-west-1"});
    const auto prepared = credential->prepare(request, new_year);
    if (!inferwire::protocol::has_sha256()) {
      REQUIRE(std::holds_alternative<Error>(prepared));
      CHECK(std::get<Error>(prepared).kind == ErrorKind::unsupported);
      continue;
    }
    REQUIRE(std::holds_alternative<Credential::Ready>(prepared));
    CHECK(find_header(request.headers, "Authorization") ==
          answer["result"]["authorization"].get<std::string>());
    CHECK(find_header(request.headers, "X-Amz-Date") == "20260101T000000Z");
    CHECK(request.body == answer["payload"].get<std::string>());
  }
}

TEST_CASE("Credential::sigv4 does not sign the id of a trace, which proxies change") {
  if (!inferwire::protocol::has_sha256()) return;
  HttpRequest request{
      .url = "https://h.test/",
      .headers = {{"X-Amzn-Trace-Id", "Root=1-2-3"}, {"X-Amzn-SageMaker-Target-Variant", "blue"}}};
  const auto credential =
      Credential::sigv4({.access_key_id = "AKID", .secret_access_key = "s3cret", .region = "eu-west-1"});
  REQUIRE(std::holds_alternative<Credential::Ready>(credential->prepare(request, new_year)));
  CHECK_THAT(std::string(find_header(request.headers, "Authorization").value_or("")),
             contains("SignedHeaders=host;x-amz-date;x-amzn-sagemaker-target-variant,"));
  CHECK(find_header(request.headers, "X-Amzn-Trace-Id") == "Root=1-2-3");
}

TEST_CASE("Credential::sigv4 conceals the secret key and the token of its session") {
  if (!inferwire::protocol::has_sha256()) return;
  const auto credential = Credential::sigv4({.access_key_id = "AKID",
                                             .secret_access_key = "secret-key",
                                             .session_token = "session-token",
                                             .region = "eu-west-1",
                                             .environment = inferwire::Environment::none()});
  std::string echoed = "AKID, secret-key, session-token";
  credential->conceal(echoed);
  CHECK(echoed == "AKID, ***, ***");
}

TEST_CASE("a client of SageMaker finds keys and region in its environment") {
  if (!inferwire::protocol::has_sha256()) return;
  const AnsweredClient at(Reply::error(500),
                          {.provider = Provider::sagemaker(),
                           .environment = variables({{"AWS_ACCESS_KEY_ID", "AKID"},
                                                     {"AWS_SECRET_ACCESS_KEY", "s3cret"},
                                                     {"AWS_SESSION_TOKEN", "t0ken"},
                                                     {"AWS_DEFAULT_REGION", "us-east-2"}})});
  CHECK_FALSE(at.client.chat.create(hello));
  const auto [method, url, headers, body, confidential] = at.sent();
  CHECK(url == "https://runtime.sagemaker.us-east-2.amazonaws.com/endpoints/tides-lmi/invocations");
  CHECK_THAT(std::string(find_header(headers, "Authorization").value_or("")), contains("Credential=AKID/"));
  CHECK_THAT(std::string(find_header(headers, "Authorization").value_or("")),
             contains("/us-east-2/sagemaker/"));
  CHECK(find_header(headers, "X-Amz-Security-Token") == "t0ken");
  CHECK_FALSE(confidential);
}

TEST_CASE("AWS_REGION chooses the host in the region's partition") {
  if (!inferwire::protocol::has_sha256()) return;
  const AnsweredClient at(Reply::error(500), {.provider = Provider::sagemaker(),
                                              .environment = variables({{"AWS_ACCESS_KEY_ID", "AKID"},
                                                                        {"AWS_SECRET_ACCESS_KEY", "s3cret"},
                                                                        {"AWS_REGION", "cn-northwest-1"}})});
  CHECK_FALSE(at.client.chat.create(hello));
  CHECK(at.sent().url ==
        "https://runtime.sagemaker.cn-northwest-1.amazonaws.com.cn/endpoints/tides-lmi/invocations");
}

TEST_CASE("a client of SageMaker sends signed requests to the region's host, streams to the path for them") {
  if (!inferwire::protocol::has_sha256()) return;
  const AnsweredClient at(
      Reply::error(500),
      {.provider = Provider::sagemaker("eu-west-1"),
       .credential = Credential::sigv4({.access_key_id = "AKID", .secret_access_key = "s3cret"}),
       .environment = variables({{"AWS_REGION", "us-east-1"}})});
  CHECK_FALSE(at.client.chat.create(hello));
  const std::string host = "https://runtime.sagemaker.eu-west-1.amazonaws.com";
  const auto sent = at.sent();
  CHECK(sent.url == host + "/endpoints/tides-lmi/invocations");
  CHECK(find_header(sent.headers, "Accept") == "application/json");
  const auto authorization = find_header(sent.headers, "Authorization");
  REQUIRE(authorization);
  CHECK_THAT(std::string(*authorization), contains("SignedHeaders=content-type;host;x-amz-date,"));
  CHECK_THAT(std::string(*authorization), contains("/eu-west-1/sagemaker/"));
  auto stream = at.client.chat.stream(hello);
  stream.next();
  CHECK(at.sent().url == host + "/endpoints/tides-lmi/invocations-response-stream");
  CHECK(find_header(at.sent().headers, "X-Amzn-SageMaker-Accept") == "application/jsonlines");
  CHECK_FALSE(find_header(at.sent().headers, "Accept"));
}

TEST_CASE("a client of SageMaker without a region or keys says what is missing") {
  const auto error_of = [](Provider provider) {
    const Client client({.provider = std::move(provider), .environment = variables({})});
    const auto reply = client.chat.create(hello);
    REQUIRE_FALSE(reply);
    return reply.error();
  };
  const auto no_region = error_of(Provider::sagemaker());
  CHECK(no_region.kind == ErrorKind::config);
  CHECK_THAT(no_region.detail, contains("AWS_REGION"));
  const auto odd_region = error_of(Provider::sagemaker("eu-west-1.evil.test/"));
  CHECK(odd_region.kind == (inferwire::protocol::has_sha256() ? ErrorKind::config : ErrorKind::unsupported));
  const auto no_keys = error_of(Provider::sagemaker("eu-west-1"));
  if (!inferwire::protocol::has_sha256()) {
    CHECK(no_keys.kind == ErrorKind::unsupported);
    CHECK_THAT(no_keys.detail, contains("INFERWIRE_SIGV4"));
    return;
  }
  CHECK(no_keys.kind == ErrorKind::auth);
  CHECK_THAT(no_keys.detail, contains("AWS_ACCESS_KEY_ID"));
}
