#include "protocol/signing/sigv4.hpp"

#include "protocol/signing/sha256.hpp"
#include "support/catch.hpp"
#include "support/fixtures.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace inferwire::protocol;
using namespace inferwire;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

/// The time that `amz_date` writes as "20150830T123600Z".
constexpr auto in_2015 = std::chrono::system_clock::time_point(std::chrono::seconds(1440938160));

std::chrono::system_clock::time_point time_of(const std::string& date) {
  return date == "20150830T123600Z" ? in_2015
                                    : std::chrono::system_clock::time_point(std::chrono::seconds(1767225600));
}

SigV4Signature signature_of(const HttpRequest& request) {
  auto signature = sign_v4(request, {"id", "secret"}, {"eu-west-1", "sagemaker"}, in_2015);
  if (!signature) FAIL(signature.error().message());
  return *std::move(signature);
}

/// Line `number` of the canonical request, counted from 0.
std::string line(const HttpRequest& request, int number) {
  auto rest = signature_of(request).canonical_request;
  while (number-- > 0) rest.erase(0, rest.find('\n') + 1);
  return rest.substr(0, rest.find('\n'));
}

}  // namespace

TEST_CASE("sigv4 gives the known answers byte for byte") {
  const auto known = json::parse(inferwire_test::fixture("wire/sagemaker/sigv4_known_answers.json"));
  const auto id = known["access_key"].get<std::string>();
  const auto secret = known["secret_key"].get<std::string>();
  REQUIRE(known["cases"].size() == 3);
  for (const auto& answer : known["cases"]) {
    CAPTURE(answer["name"].get<std::string>());
    HttpRequest request{.method = answer["method"], .body = answer["payload"].get<std::string>()};
    for (const auto& [name, value] : answer["headers"].items()) {
      request.headers.push_back({name, value.get<std::string>()});
    }
    request.url =
        "https://" + answer["headers"]["Host"].get<std::string>() + answer["uri"].get<std::string>();
    const auto date = answer["amz_date"].get<std::string>();
    CHECK(amz_date(time_of(date)) == date);
    const auto region = answer["region"].get<std::string>();
    const auto service = answer["service"].get<std::string>();
    const auto signature = sign_v4(request, {id, secret}, {region, service}, time_of(date));
    if (!has_sha256()) {
      REQUIRE_FALSE(signature);
      CHECK(signature.error().kind == ErrorKind::unsupported);
      continue;
    }
    REQUIRE(signature);
    const auto& expected = answer["result"];
    CHECK(signature->canonical_request == expected["canonical_request"].get<std::string>());
    CHECK(signature->string_to_sign == expected["string_to_sign"].get<std::string>());
    CHECK(signature->signed_headers == expected["signed_headers"].get<std::string>());
    CHECK(signature->scope == expected["scope"].get<std::string>());
    CHECK(signature->signature == expected["signature"].get<std::string>());
    CHECK(signature->authorization == expected["authorization"].get<std::string>());
  }
}

TEST_CASE("sigv4 writes dates with leading zeros, in UTC, without fractions") {
  const auto at = [](std::chrono::milliseconds since) {
    return amz_date(std::chrono::system_clock::time_point(since));
  };
  CHECK(at(0ms) == "19700101T000000Z");
  CHECK(at(999ms) == "19700101T000000Z");
  CHECK(at(951782399s) == "20000228T235959Z");
  CHECK(at(951782400s) == "20000229T000000Z");
  CHECK(at(1767225600s) == "20260101T000000Z");
}

TEST_CASE("sigv4 normalizes paths and escapes them once more") {
  if (!has_sha256()) return;
  const auto path = [](const std::string& url) { return line({.url = "https://h.test" + url}, 1); };
  CHECK(path("") == "/");
  CHECK(path("?a=b") == "/");
  CHECK(path("/a/b") == "/a/b");
  CHECK(path("/a//b/./c/../d/") == "/a/b/d/");
  CHECK(path("/..") == "/");
  CHECK(path("/endpoints/model%3Av1/invocations") == "/endpoints/model%253Av1/invocations");
  CHECK(path("/a~b-c_d.e") == "/a~b-c_d.e");
}

TEST_CASE("sigv4 sorts parameters by name, then by value") {
  if (!has_sha256()) return;
  const auto query = [](const std::string& text) { return line({.url = "https://h.test/?" + text}, 2); };
  CHECK(query("").empty());
  CHECK(query("b=2&a=1&a=0") == "a=0&a=1&b=2");
  CHECK(query("a&&c=x=y") == "a=&c=x=y");
}

TEST_CASE("sigv4 sorts headers, folds their white space and joins those of the same name") {
  if (!has_sha256()) return;
  const auto signature = signature_of(
      {.url = "https://h.test/",
       .headers = {{"X-Amz-B", "  two   spaces\t"}, {"Host", "h.test"}, {"x-amz-a", "1"}, {"X-AMZ-A", "2"}}});
  CHECK(signature.signed_headers == "host;x-amz-a;x-amz-b");
  CHECK(signature.canonical_request.find("\nhost:h.test\nx-amz-a:1,2\nx-amz-b:two spaces\n\n") !=
        std::string::npos);
}

TEST_CASE("the sigv4 signature changes with every part of the request") {
  if (!has_sha256()) return;
  const HttpRequest request{.url = "https://h.test/p", .headers = {{"Host", "h.test"}}, .body = "{}"};
  const auto original = signature_of(request).signature;
  auto other = request;
  other.body = "{ }";
  CHECK(signature_of(other).signature != original);
  other = request;
  other.method = "GET";
  CHECK(signature_of(other).signature != original);
  other = request;
  other.headers[0].value = "g.test";
  CHECK(signature_of(other).signature != original);
  other = request;
  other.url += "?q=1";
  CHECK(signature_of(other).signature != original);
  const auto later = sign_v4(request, {"id", "secret"}, {"eu-west-1", "sagemaker"}, in_2015 + 1s);
  CHECK(later->signature != original);
  const auto elsewhere = sign_v4(request, {"id", "secret"}, {"eu-west-2", "sagemaker"}, in_2015);
  CHECK(elsewhere->signature != original);
}
