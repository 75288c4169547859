#include "engine/auth.hpp"

#include "support/catch.hpp"

using namespace inferwire;
using namespace inferwire::engine;

namespace {

std::optional<Refusal> check(std::string authorization, std::optional<Secret> key = Secret("sekret")) {
  return check_key({{"x", "y"}, {"authorization", std::move(authorization)}}, key, false);
}

}  // namespace

TEST_CASE("check_key takes the key as bearer token or as Databricks' basic token") {
  CHECK_FALSE(check("Bearer sekret"));
  CHECK_FALSE(check("bearer  sekret "));
  CHECK_FALSE(check("Basic dG9rZW46c2VrcmV0"));            // token:sekret
  CHECK_FALSE(check("Basic dG9rZW46YWI=", Secret("ab")));  // token:ab
}

TEST_CASE("check_key refuses a wrong key and does not repeat it") {
  const auto given =
      GENERATE(std::string("Bearer wrong"), "Bearer sekre", "Bearer sekrets", "Bearer ", "sekret",
               "Bearersekret", "Digest sekret", "Basic c2VrcmV0OnNla3JldA==", "Basic ====");
  const auto refusal = check(given);
  REQUIRE(refusal);
  CHECK(refusal->status == 401);
  CHECK(refusal->cause == Cause::invalid_api_key);
  CHECK(refusal->message.find("sekret") == std::string::npos);
  CHECK(refusal->message.find("wrong") == std::string::npos);
}

TEST_CASE("check_key tells a request without a key how to send one") {
  const auto refusal = check_key({}, Secret("sekret"), false);
  REQUIRE(refusal);
  CHECK(refusal->status == 401);
  CHECK_THAT(refusal->message, inferwire_test::contains("Authorization: Bearer"));
}

TEST_CASE("an engine without a key takes any request") {
  CHECK_FALSE(check("Bearer anything", std::nullopt));
  CHECK_FALSE(check("Basic dG9rZW46YWI=", std::nullopt));
  CHECK_FALSE(check_key({}, std::nullopt, false));
}

TEST_CASE("check_key wants any bearer token where the mount needs one") {
  const auto check_bearer = [](std::string authorization, std::optional<Secret> key) {
    return check_key({{"Authorization", std::move(authorization)}}, key, true);
  };
  CHECK_FALSE(check_bearer("Bearer anything", std::nullopt));
  CHECK(check_bearer("", std::nullopt));
  CHECK(check_bearer("Bearer ", std::nullopt));
  CHECK(check_bearer("Basic dG9rZW46c2VrcmV0", Secret("sekret")));
  CHECK_FALSE(check_bearer("Bearer sekret", Secret("sekret")));
  CHECK(check_bearer("Bearer wrong", Secret("sekret")));
}
