#include "protocol/headers.hpp"

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace inferwire;
using namespace inferwire::protocol;

TEST_CASE("check_header refuses line breaks in a value, and does not repeat the value") {
  using namespace std::string_literals;
  for (const auto& value : {"hunter2\r\nX-Evil: 1"s, "hunter2\n"s, "\rhunter2"s, "hunter2\0"s}) {
    const auto checked = check_header("X-Api-Key", value);
    REQUIRE_FALSE(checked);
    REQUIRE(checked.error().kind == ErrorKind::config);
    REQUIRE_THAT(checked.error().detail,
                 inferwire_test::contains("the key in the header X-Api-Key holds CR, LF or NUL; was "));
    REQUIRE(checked.error().message().find("hunter2") == std::string::npos);
  }
}

TEST_CASE("check_header refuses names that are no token") {
  for (const std::string name : {"", "a b", "a:", "a\r\nb", "\xC3\xB6", "(a)", "a\"", "a/b"}) {
    CAPTURE(name);
    const auto checked = check_header(name, "v");
    REQUIRE_FALSE(checked);
    REQUIRE(checked.error().kind == ErrorKind::config);
    REQUIRE(checked.error().detail.find('\n') == std::string::npos);
  }
  REQUIRE(check_header("X-Custom_1.2~!#$%&'*+^`|", "any \t text, even \xC3\xB6"));
  REQUIRE(check_header("a", ""));
}

TEST_CASE("check_headers reports the first bad header") {
  REQUIRE(check_headers({{"a", "1"}, {"b", "2"}}));
  REQUIRE_THAT(check_headers({{"a", "1"}, {"bad", "\n"}}).error().detail, inferwire_test::contains("bad"));
}

TEST_CASE("layer_headers replaces headers of the same name, in any case") {
  std::vector<Header> headers{{"Accept", "a"}, {"X-One", "1"}, {"x-one", "2"}};
  layer_headers(headers, {{"X-ONE", "3"}, {"X-Two", "4"}, {"X-Two", "5"}});
  REQUIRE(headers == std::vector<Header>{{"Accept", "a"}, {"X-ONE", "3"}, {"X-Two", "4"}, {"X-Two", "5"}});
  set_header(headers, {"x-two", "6"});
  REQUIRE(headers == std::vector<Header>{{"Accept", "a"}, {"X-ONE", "3"}, {"x-two", "6"}});
}

TEST_CASE("is_secret_header knows the names of headers with credentials") {
  for (const auto* name :
       {"Authorization", "Proxy-Authorization", "x-api-key", "api-key", "Cookie", "set-cookie",
        "X-Amz-Security-Token", "x-goog-api-key", "X-Client-Secret", "X-Subscription-Keys", "X-Credentials",
        "X-Passwd", "api_key", "X-ApiKey", "X-Auth", "X-AuthToken", "X-Pass", "X-Jwt", "X-Assertion"}) {
    CAPTURE(name);
    REQUIRE(is_secret_header(name));
  }
  for (const auto* name : {"Content-Type", "x-ratelimit-remaining-tokens", "x-request-id", "accept",
                           "Idempotency-Key", "Author", "X-Cache-Bypass", ""}) {
    CAPTURE(name);
    REQUIRE_FALSE(is_secret_header(name));
  }
}
