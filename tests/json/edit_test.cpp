#include "json/edit.hpp"

#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace inferwire;
using namespace inferwire_test;

namespace {

std::string after_set(std::string document, std::string_view pointer, std::string_view value) {
  REQUIRE(json::set(document, pointer, value));
  REQUIRE(nlohmann::json::accept(document));
  return document;
}

std::string after_remove(std::string document, std::string_view pointer) {
  REQUIRE(json::remove(document, pointer));
  REQUIRE(nlohmann::json::accept(document));
  return document;
}

}  // namespace

TEST_CASE("json::set replaces a value and leaves every other byte alone") {
  CHECK(after_set(R"( {"a" : 1.10, "b":2 } )", "/b", "[3]") == R"( {"a" : 1.10, "b":[3] } )");
  CHECK(after_set(R"({"a":{"b":{"c":1}}})", "/a/b/c", "null") == R"({"a":{"b":{"c":null}}})");
  CHECK(after_set(R"([1,2,3])", "/1", "\"x\"") == R"([1,"x",3])");
  CHECK(after_set(R"({"a":1})", "", "{}") == "{}");
}

TEST_CASE("json::set adds what is not there") {
  CHECK(after_set("{}", "/a", "1") == R"({"a":1})");
  CHECK(after_set(R"({"a":1 })", "/b", "2") == R"({"a":1 ,"b":2})");
  CHECK(after_set("{}", "/a/b/c", "1") == R"({"a":{"b":{"c":1}}})");
  CHECK(after_set(R"({"a":{}})", "/a/b/c", "1") == R"({"a":{"b":{"c":1}}})");
  CHECK(after_set("[]", "/-", "1") == "[1]");
  CHECK(after_set("[1]", "/1", "2") == "[1,2]");
  CHECK(after_set("[1]", "/-/a", "2") == R"([1,{"a":2}])");
}

TEST_CASE("json::set unescapes ~0 and ~1 in a pointer") {
  CHECK(after_set(R"({"a/b":1,"c~d":2})", "/a~1b", "3") == R"({"a/b":3,"c~d":2})");
  CHECK(after_set(R"({"a/b":1,"c~d":2})", "/c~0d", "3") == R"({"a/b":1,"c~d":3})");
  CHECK(after_set(R"({"":1})", "/", "2") == R"({"":2})");
  CHECK(after_set(R"({"\u0061":1})", "/a", "2") == R"({"\u0061":2})");
  CHECK(after_set(R"({"0":1})", "/0", "2") == R"({"0":2})");
  CHECK(after_set("{}", "/say \"hi\"", "1") == R"({"say \"hi\"":1})");
}

TEST_CASE("json::remove takes a member with its comma") {
  CHECK(after_remove(R"({"a":1,"b":2,"c":3})", "/a") == R"({"b":2,"c":3})");
  CHECK(after_remove(R"({"a":1, "b":2, "c":3})", "/b") == R"({"a":1, "c":3})");
  CHECK(after_remove(R"({"a":1,"b":2})", "/b") == R"({"a":1})");
  CHECK(after_remove(R"({"a":1})", "/a") == "{}");
  CHECK(after_remove("[1,2,3]", "/0") == "[2,3]");
  CHECK(after_remove("[1]", "/0") == "[]");
  CHECK(after_remove(R"({"a":[{"b":1,"c":2}]})", "/a/0/b") == R"({"a":[{"c":2}]})");
}

TEST_CASE("json::remove of what is not there changes nothing") {
  for (const auto* pointer : {"/x", "/a/x", "/b/7", "/b/-", "/a/x/y", "/b/0/z"}) {
    CAPTURE(pointer);
    CHECK(after_remove(R"({"a":{"c":1},"b":[2]})", pointer) == R"({"a":{"c":1},"b":[2]})");
  }
}

TEST_CASE("json::replace of what is not there is an error") {
  std::string document = R"({"a":1})";
  CHECK(json::replace(document, "/a", "2"));
  CHECK(document == R"({"a":2})");
  const auto failed = json::replace(document, "/b", "2");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::invalid_request);
  CHECK(failed.error().path == "/b");
  CHECK(document == R"({"a":2})");
}

TEST_CASE("an edit that cannot be made is an error and changes nothing") {
  const std::string document = R"({"a":1,"b":[1]})";
  const auto refused = [&](std::string_view pointer, std::string_view value) {
    auto copy = document;
    const auto done = json::set(copy, pointer, value);
    REQUIRE_FALSE(done);
    CHECK(copy == document);
    CHECK(done.error().path == pointer);
    return done.error().detail;
  };
  CHECK_THAT(refused("a", "1"), contains("not a JSON pointer"));
  CHECK_THAT(refused("/a~2", "1"), contains("not a JSON pointer"));
  CHECK_THAT(refused("/a~", "1"), contains("not a JSON pointer"));
  CHECK_THAT(refused("/a", "{"), contains("not well-formed JSON"));
  CHECK_THAT(refused("/a", ""), contains("not well-formed JSON"));
  CHECK_THAT(refused("/a/b", "1"), contains("no object and no array"));
  CHECK_THAT(refused("/b/2", "1"), contains("no element"));
  CHECK_THAT(refused("/b/01", "1"), contains("no element"));
  CHECK_THAT(refused("/b/x", "1"), contains("no element"));
  auto copy = document;
  CHECK_FALSE(json::remove(copy, ""));
}
