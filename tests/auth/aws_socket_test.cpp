// AWS keys that must be fetched first, over real sockets and from real programs.
#include "inferwire/chat.hpp"
#include "inferwire/client.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "protocol/signing/sha256.hpp"
#include "support/catch.hpp"
#include "support/chat_stream.hpp"
#include "support/fake_environment.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

using namespace inferwire;
using namespace inferwire::testing;
using namespace inferwire_test;

namespace {

/// Stands in for SageMaker and for the token service.
struct Region : MockServer {
  Region() {
    keep_secrets();
    set_handler([](const HttpRequest& request) {
      if (request.body.text().find("Action=AssumeRoleWithWebIdentity") != request.body.text().npos) {
        return Reply{.headers = {{"Content-Type", "text/xml"}},
                     .body = {{"<R><Credentials><AccessKeyId>ASIA1</AccessKeyId>"
                               "<SecretAccessKey>temp-dose</SecretAccessKey><SessionToken>st-1</SessionToken>"
                               "<Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></R>"}}};
      }
      return Reply::json(answer_of("Hi."));
    });
  }
};

Client client_of(const Region& region, FakeEnvironment::Texts variables, FakeEnvironment::Texts files) {
  variables.emplace("AWS_REGION", "eu-west-1");
  variables.emplace("HOME", "/home/u");
  return Client({.provider = Provider::sagemaker(),
                 .base_url = region.url(),
                 .environment = std::make_shared<FakeEnvironment>(std::move(variables), std::move(files))});
}

std::string authorization_of(const HttpRequest& request) {
  return std::string(find_header(request.headers, "Authorization").value_or(""));
}

}  // namespace

TEST_CASE("AWS_WEB_IDENTITY_TOKEN_FILE is exchanged for keys once, which sign the calls") {
  if (!inferwire::protocol::has_sha256()) return;
  Region region;
  const auto client = client_of(region,
                                {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/run/jwt"},
                                 {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"},
                                 {"AWS_ENDPOINT_URL_STS", region.url()}},
                                {{"/run/jwt", "a-web-identity"}});
  CHECK(client.chat.create(hello));
  CHECK(client.chat.create(hello));
  const auto requests = region.requests();
  REQUIRE(requests.size() == 3);
  CHECK_THAT(requests[0].body, contains("WebIdentityToken=a-web-identity"));
  for (const auto* request : {&requests[1], &requests[2]}) {
    CHECK_THAT(authorization_of(*request), contains("Credential=ASIA1/"));
    CHECK(find_header(request->headers, "X-Amz-Security-Token") == "st-1");
  }
}

TEST_CASE("credential_process of an AWS profile is run for keys") {
  if (!inferwire::protocol::has_sha256()) return;
  Region region;
  const auto with_program = [&](const std::string& command) {
    return client_of(region, {},
                     {{"/home/u/.aws/config", "[default]\ncredential_process = " + command + "\n"}});
  };
  CHECK(with_program(
            R"(sh -c 'echo "{\"Version\": 1, \"AccessKeyId\": \"AKID2\", \"SecretAccessKey\": \"s\"}"')")
            .chat.create(hello));
  CHECK_THAT(authorization_of(region.requests().at(0)), contains("Credential=AKID2/"));

  const auto failed = with_program("sh -c 'exit 9'").chat.create(hello);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::auth);
  CHECK_THAT(failed.error().detail, contains("status 9"));
  const auto absent = with_program("/nonexistent/keys")
                          .chat.create(hello, {.timeouts = {.overall = std::chrono::seconds(9)}});
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::config);
  CHECK(region.requests().size() == 1);
}

TEST_CASE("a call whose time is over while a program fetches its keys ends by overall") {
  if (!inferwire::protocol::has_sha256()) return;
  const Region region;
  const auto client =
      client_of(region, {}, {{"/home/u/.aws/config", "[default]\ncredential_process = sleep 60\n"}});
  const auto late = client.chat.create(hello, {.timeouts = {.overall = std::chrono::milliseconds(50)}});
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::timeout);
  CHECK(late.error().timer == "overall");
}
