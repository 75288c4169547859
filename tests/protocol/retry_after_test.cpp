#include "protocol/retry_after.hpp"

#include "support/catch.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

using namespace inferwire::protocol;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {
// Sun, 06 Nov 1994 08:49:37 GMT
const std::chrono::system_clock::time_point now =
    std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) + 8h + 49min + 37s;
}  // namespace

TEST_CASE("parse_retry_after reads seconds and the date formats of HTTP") {
  using Row = std::pair<std::string_view, milliseconds>;
  const auto row = GENERATE(values<Row>({
      {"0", 0ms},
      {"7", 7s},
      {" 7 ", 7s},
      {"1.5", 1500ms},
      {".25", 250ms},
      {"0.0001", 1ms},
      {"86400", 24h},
      {"Sun, 06 Nov 1994 08:49:37 GMT", 0ms},
      {"Sun, 06 Nov 1994 08:50:00 GMT", 23s},
      {"Mon, 07 Nov 1994 08:49:37 GMT", 24h},
      {"Sunday, 06-Nov-94 08:50:37 GMT", 60s},
      {"Sun Nov  6 08:49:38 1994", 1s},
      {"Sun Nov 06 08:49:38 1994", 1s},
      // Unix times: openclaw/clawhub#407, ArjanCodes/moneysnake#24. Smaller numbers are waits.
      {"999999999", 999999999s},
      {"1000000000", 1000000000s - 784111777s},
      {"1000000000.5", 1000000000500ms - 784111777s},
      {"1000000000000", 1000000000s - 784111777s},
  }));
  CAPTURE(row.first);
  REQUIRE(parse_retry_after(row.first, now) == row.second);
}

TEST_CASE("parse_retry_after gives nothing for malformed, negative, past or infinite values") {
  for (const auto* value :
       {"", " ", "-1", "+1", "1s", "1,5", "soon", "nan", "inf", "1e999", "0x10",
        "Sun, 06 Nov 1994 08:49:36 GMT", "Sun, 06 Nov 1994 08:50:00", "Sun, 32 Nov 1994 08:50:00 GMT",
        "Sun, 31 Feb 1995 08:50:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:50:00 GMT+1",
        ", 06 Nov 1994 08:50:00 GMT", "Sun Nov  6 08:49:38"}) {
    CAPTURE(value);
    REQUIRE(parse_retry_after(value, now) == std::nullopt);
  }
  const auto later = std::chrono::sys_days(std::chrono::year(2026) / 11 / 30);
  REQUIRE(parse_retry_after("1771404540", later) == std::nullopt);
}

TEST_CASE("parse_retry_after of a huge value does not overflow") {
  REQUIRE(parse_retry_after("1e300", now) > 24h * 365 * 100);
  REQUIRE(parse_retry_after_ms("1e300") > 24h * 365 * 100);
  REQUIRE(parse_retry_after("Fri, 31 Dec 9999 23:59:59 GMT", now) > 24h * 365 * 100);
}

TEST_CASE("parse_retry_after reads a two-digit year as within fifty years") {
  const auto later = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  REQUIRE(parse_retry_after("Friday, 02-Jan-26 00:00:00 GMT", later) == 24h);
  REQUIRE(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", later) == std::nullopt);
}

TEST_CASE("a date in Retry-After counts from the answer's own Date") {
  for (const auto* const clock : {"Sat, 05 Nov 1994 08:49:32 GMT", "Mon, 07 Nov 1994 08:49:32 GMT"}) {
    const auto in_five_seconds = std::string(clock).replace(23, 2, "37");
    CAPTURE(clock);
    REQUIRE(retry_after({{"Date", clock}, {"Retry-After", in_five_seconds}}, now) == 5s);
    REQUIRE(retry_after({{"Date", clock}, {"Retry-After", "7"}}, now) == 7s);
  }
  REQUIRE(retry_after({{"Date", "today"}, {"Retry-After", "Sun, 06 Nov 1994 08:50:00 GMT"}}, now) == 23s);
}

TEST_CASE("retry-after-ms goes before Retry-After, unless it cannot be read") {
  REQUIRE(retry_after({{"Retry-After", "7"}, {"Retry-After-Ms", "1500.2"}}, now) == 1501ms);
  REQUIRE(retry_after({{"Retry-After", "7"}, {"retry-after-ms", "-5"}}, now) == 7s);
  REQUIRE(retry_after({{"retry-after", "7"}}, now) == 7s);
  REQUIRE(retry_after({{"retry-after", "later"}}, now) == std::nullopt);
  REQUIRE(retry_after({}, now) == std::nullopt);
}
