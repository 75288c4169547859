#include "base/decimal.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

using namespace inferwire;

TEST_CASE("parse_decimal takes a number that is the whole text") {
  CHECK(parse_decimal("12") == 12.0);
  CHECK(parse_decimal("007") == 7.0);
  CHECK(parse_decimal("-0.5") == -0.5);
  CHECK(parse_decimal(".25") == 0.25);
  CHECK(parse_decimal("1.") == 1.0);
  CHECK(parse_decimal("1e3") == 1000.0);
  CHECK(parse_decimal("2.5E-1") == 0.25);
  CHECK(parse_decimal("1e+2") == 100.0);
  for (const auto* none : {"", "-", ".", "-.", "e1", "1e", "1e+", "+1", "--1", " 1", "1 ", "1,5", "1.2.3",
                           "1e2.5", "0x10", "inf", "-nan", "1f"}) {
    CAPTURE(none);
    CHECK(parse_decimal(none) == std::nullopt);
  }
}

TEST_CASE("parse_decimal of an overflow is nullopt, of an underflow 0") {
  CHECK(parse_decimal("1e308") == 1e308);
  CHECK(parse_decimal("1e309") == std::nullopt);
  CHECK(parse_decimal("-1e309") == std::nullopt);
  CHECK(parse_decimal("1e-400") == 0.0);
}

TEST_CASE("parse_integer takes an integer that is the whole text and fits") {
  CHECK(parse_integer<int>("12") == 12);
  CHECK(parse_integer<int>("-12") == -12);
  CHECK(parse_integer<int>("007") == 7);
  CHECK(parse_integer<std::uint8_t>("255") == 255);
  CHECK(parse_integer<std::uint64_t>("Ff", 16) == 255);
  for (const auto* none : {"", "-", "-1", "+1", " 1", "1 ", "1.0", "1e1", "0x1", "256", "a"}) {
    CAPTURE(none);
    CHECK(parse_integer<std::uint8_t>(none) == std::nullopt);
  }
}

TEST_CASE("parse_float rounds once, to the nearest float") {
  CHECK(parse_float("0.1") == 0.1F);
  CHECK(parse_float("3.4028235e38") == std::numeric_limits<float>::max());
  CHECK(parse_float("3.4028236e38") == std::nullopt);
  CHECK(parse_float("1e-45") == std::numeric_limits<float>::denorm_min());
  CHECK(parse_float("1e-60") == 0.0F);
  CHECK(parse_float("1.00000017881393432617187501") == 1.0000002F);  // the nearest double is halfway
  CHECK(parse_float("1f") == std::nullopt);
}

TEST_CASE("print_decimal prints the shortest text that reads back") {
  CHECK(print_decimal(0.1) == "0.1");
  CHECK(print_decimal(0.1F) == "0.1");
  CHECK(print_decimal(-2.0) == "-2");
  CHECK(print_decimal(1e300) == "1e+300");
}

TEST_CASE("print_decimal prints whole numbers without exponent up to 2^53") {
  CHECK(print_decimal(1.7e9) == "1700000000");
  CHECK(print_decimal(9007199254740991.0) == "9007199254740991");
  CHECK(print_decimal(1e16) == "1e+16");
  CHECK(print_decimal(1e6F) == "1000000");
  std::string text = "from ";
  append_decimal(text, -1e6);
  CHECK(text == "from -1000000");
}
