#include "engine/constraint/number_range.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

using namespace inferwire::engine;

namespace {

/// The digits of `text`; std::nullopt if the range does not allow them.
std::optional<Digits> read(const NumberRange& range, const std::string& text) {
  std::optional<Digits> digits = Digits{};
  for (const char byte : text) {
    if (digits) digits = range.next(*digits, byte);
  }
  return digits;
}

/// Collects every number of up to `length` bytes more that the range allows. Checks that each step's cost is
/// exact.
Cost explore(const NumberRange& range, const Digits& digits, const std::string& text, int length,
             std::set<std::string>& out) {
  if (range.may_end(digits)) out.insert(text);
  Cost best = range.may_end(digits) ? 0 : unreachable;
  if (length == 0) return range.left(digits);
  for (const char byte : std::string("-.0123456789")) {
    const auto next = range.next(digits, byte);
    if (next) best = std::min(best, plus(1, explore(range, *next, text + byte, length - 1, out)));
  }
  INFO(text);
  CHECK(range.left(digits) == best);
  return best;
}

}  // namespace

TEST_CASE("NumberRange of integers writes exactly its integers", "[number_range]") {
  for (const auto& [low, high] : {std::pair{-12, 7}, {0, 0}, {95, 123}, {-120, -99}, {-1, 0}, {7, 7}}) {
    const auto range = NumberRange::between({.minimum = low, .maximum = high, .decimals = 0});
    REQUIRE(range);
    std::set<std::string> written;
    explore(*range, {}, "", 5, written);
    std::set<std::string> expected;
    for (int i = low; i <= high; ++i) expected.insert(std::to_string(i));
    CHECK(written == expected);
  }
}

TEST_CASE("NumberRange keeps multiples of an integer", "[number_range]") {
  const auto range = NumberRange::between({.minimum = -20, .maximum = 30, .decimals = 0, .step = 7});
  REQUIRE(range);
  std::set<std::string> written;
  explore(*range, {}, "", 4, written);
  CHECK(written == std::set<std::string>{"-14", "-7", "0", "7", "14", "21", "28"});
  CHECK_FALSE(NumberRange::between({.minimum = 1, .maximum = 6, .decimals = 0, .step = 7}));
}

TEST_CASE("NumberRange keeps multiples of a fraction", "[number_range]") {
  const auto written = [](const NumberBounds& bounds) {
    const auto range = NumberRange::between(bounds);
    REQUIRE(range);
    std::set<std::string> texts;
    explore(*range, {}, "", 5, texts);
    return texts;
  };
  CHECK(written({.minimum = -1, .maximum = 1.2, .decimals = 1, .step = 5}) ==
        std::set<std::string>{"-1", "-1.0", "-0.5", "0", "0.0", "0.5", "1", "1.0"});
  CHECK(written({.minimum = 0.1, .maximum = 1, .decimals = 2, .step = 35}) ==
        std::set<std::string>{"0.35", "0.7", "0.70"});
  CHECK(written({.maximum = 0.001, .above = 0, .decimals = 3}) == std::set<std::string>{"0.001"});
  CHECK_FALSE(NumberRange::between({.minimum = 0.1, .maximum = 0.3, .decimals = 2, .step = 35}));
  // A range may go up to 9e15 of its smallest parts.
  CHECK(NumberRange::between({.minimum = 1, .decimals = 9, .step = 123'456'789}));
  CHECK_FALSE(NumberRange::between({.minimum = 1e7, .decimals = 9, .step = 3}));
  CHECK(NumberRange::between({.minimum = 1, .decimals = 0, .step = 10'000'000'000}));
}

TEST_CASE("NumberRange writes numbers between its bounds only", "[number_range]") {
  for (const auto& bounds :
       {NumberBounds{.minimum = -0.25, .maximum = 1.5}, NumberBounds{.minimum = 9.99, .below = 10.01},
        NumberBounds{.above = 0, .below = 0.002}, NumberBounds{.minimum = -1e-7, .maximum = -1e-8}}) {
    const auto range = NumberRange::between(bounds);
    REQUIRE(range);
    std::set<std::string> written;
    explore(*range, {}, "", 6, written);
    for (const auto& text : written) {
      const double value = std::strtod(text.c_str(), nullptr);
      INFO(text);
      CHECK(value >= bounds.minimum.value_or(value));
      CHECK(value <= bounds.maximum.value_or(value));
      CHECK(value > bounds.above.value_or(value - 1));
      CHECK(value < bounds.below.value_or(value + 1));
    }
  }
}

TEST_CASE("NumberRange compares bounds as doubles", "[number_range]") {
  const auto range = NumberRange::between({.minimum = 0.1, .maximum = 0.3});
  REQUIRE(range);
  const auto ends = [&](const char* text) {
    const auto digits = read(*range, text);
    return digits && range->may_end(*digits);
  };
  CHECK(ends("0.1"));
  CHECK(ends("0.3"));
  CHECK(ends("0.300"));
  CHECK_FALSE(ends("0.099"));
  CHECK_FALSE(ends("0.301"));
  CHECK_FALSE(ends("-0.1"));
}

TEST_CASE("NumberRange keeps extreme bounds exactly or refuses them", "[number_range]") {
  CHECK_FALSE(NumberRange::between({.minimum = 1e16}));
  CHECK_FALSE(NumberRange::between({.maximum = -1e300, .decimals = 0}));
  CHECK_FALSE(NumberRange::between({.above = 1, .below = 2, .decimals = 0}));
  const auto large = NumberRange::between({.minimum = 8.9e15, .decimals = 0});
  REQUIRE(large);
  CHECK(read(*large, "8900000000000000"));
  CHECK_FALSE(read(*large, "8899999999999999"));
  const auto wide = NumberRange::between({.minimum = -1e300, .maximum = 1e300});
  REQUIRE(wide);
  CHECK(read(*wide, "-123.456"));
  CHECK_FALSE(read(*wide, "99999999999999999999"));
}

TEST_CASE("NumberRange of large numbers has fewer decimals or none", "[number_range]") {
  const auto above = NumberRange::between({.minimum = 1e13});
  REQUIRE(above);
  CHECK(read(*above, "10000000000000.25"));
  CHECK_FALSE(read(*above, "9999999999999."));
  const auto between = NumberRange::between({.minimum = 1.6e15, .maximum = 1.7e15});
  REQUIRE(between);
  CHECK(read(*between, "1600000000000000"));
  CHECK_FALSE(read(*between, "1600000000000000."));
  CHECK_FALSE(read(*between, "1700000000000001"));
  CHECK(NumberRange::between({.minimum = -1e20, .maximum = -1e15}));
  CHECK(NumberRange::between({.above = 9e15 - 1}));
  CHECK_FALSE(NumberRange::between({.above = 9e15}));
  const auto narrow = NumberRange::between({.above = 1e13, .below = 1e13 + 1});
  REQUIRE(narrow);
  CHECK(read(*narrow, "10000000000000.5"));
}
