#include "inferwire/response_info.hpp"
#include "protocol/date.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <optional>
#include <string>

using namespace std::chrono_literals;
using namespace inferwire;

namespace {

RateLimits limits(std::vector<inferwire::Header> headers) {
  ResponseInfo info;
  info.head.headers = std::move(headers);
  return info.rate_limits();
}

std::optional<inferwire::Duration> reset(std::string value) {
  return limits({{"Date", "Sat, 21 Nov 2026 20:00:00 GMT"}, {"x-ratelimit-reset-tokens", std::move(value)}})
      .tokens.reset;
}

}  // namespace

TEST_CASE("rate limits are read from OpenAI's headers, in any case") {
  const auto read = limits({{"X-RateLimit-Limit-Requests", "5000"},
                            {"x-ratelimit-remaining-requests", "4999"},
                            {"x-ratelimit-reset-requests", "12ms"},
                            {"x-ratelimit-limit-tokens", "160000"},
                            {"x-ratelimit-remaining-tokens", "0"},
                            {"x-ratelimit-reset-tokens", "6m0s"}});
  CHECK(read.requests == inferwire::RateLimit{5000, 4999, 12ms});
  CHECK(read.tokens == inferwire::RateLimit{160000, 0, 360s});
}

TEST_CASE("rate limits are read from Anthropic's headers") {
  const auto read = limits({{"Date", "Sat, 21 Nov 2026 20:00:00 GMT"},
                            {"anthropic-ratelimit-requests-limit", "50"},
                            {"anthropic-ratelimit-requests-remaining", "49"},
                            {"anthropic-ratelimit-requests-reset", "2026-11-21T20:00:01Z"}});
  CHECK(read.requests == inferwire::RateLimit{50, 49, 1s});
  CHECK(read.tokens == inferwire::RateLimit{});
}

TEST_CASE("a rate limit that does not say of what is that of requests") {  // OpenRouter
  const auto read = limits({{"Date", "Sat, 21 Nov 2026 20:00:00 GMT"},
                            {"X-RateLimit-Limit", "20"},
                            {"X-RateLimit-Remaining", "0"},
                            {"X-RateLimit-Reset", "1795291260000"}});
  CHECK(read.requests == inferwire::RateLimit{20, 0, 60s});
  CHECK(limits({{"x-ratelimit-limit-requests", "5"}, {"x-ratelimit-limit", "20"}}).requests.limit == 5);
}

TEST_CASE("the reset of a rate limit is a duration, a date or seconds") {
  CHECK(reset("1h2m3.5s") == 3723500ms);
  CHECK(reset("250us") == 1ms);  // rounded up
  CHECK(reset(" 2 ") == 2s);
  CHECK(reset("0.25") == 250ms);
  CHECK(reset("2026-11-21T21:00:00.5+01:00") == 0s);
  CHECK(reset("2026-11-21T20:01:00Z") == 60s);
  CHECK(reset("2026-11-21T19:00:00Z") == 0s);
  CHECK(reset("1795291260") == 60s);  // seconds since 1970
  CHECK(reset("1795291260500") == 60500ms);
  CHECK(reset("1750000000") == 0s);
}

TEST_CASE("an unreadable rate limit is absent") {
  for (const auto* value : {"", "soon", "6m0", "-1", "1e300", "1e400", "nan", "9999999999999999h", "6 m",
                            "2026-13-01T00:00:00Z", "2026-11-21", "2026-11-21T20:01:00", "ms"}) {
    CAPTURE(value);
    CHECK(reset(value) == std::nullopt);
  }
  CHECK(limits({{"x-ratelimit-limit-tokens", "many"}, {"x-ratelimit-remaining-tokens", "-3"}}).tokens ==
        inferwire::RateLimit{});
}

TEST_CASE("parse_timestamp reads a timestamp in its time zone") {
  const auto utc = inferwire::protocol::parse_timestamp("2026-03-01T00:30:00Z");
  REQUIRE(utc);
  CHECK(inferwire::protocol::parse_timestamp("2026-02-28T23:30:00-01:00") == utc);
  for (const auto* far : {"9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"}) {
    CHECK_FALSE(inferwire::protocol::parse_timestamp(far));  // beyond the clock's range
  }
  CHECK(inferwire::protocol::parse_timestamp("2026-03-01t02:30:00.123456+02:00") == utc);
}
