#include "json/text.hpp"

#include "json/scanner.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <random>

namespace {

using namespace inferwire;

std::string as_json(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

TEST_CASE("strings are escaped as JSON wants it") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"a\"b\\c/d", R"("a\"b\\c/d")"},
      {"\n\r\t\b\f", R"("\n\r\t\b\f")"},
      {std::string("\0\x01\x1f\x7f", 4), "\"\\u0000\\u0001\\u001f\x7f\""},
      {"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\xA6\x99",
       "\"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\xA6\x99\""},
      {"a\xFFz", "\"a\xEF\xBF\xBDz\""},
      {"cut \xE2\x82", "\"cut \xEF\xBF\xBD\xEF\xBF\xBD\""},
  }));
  CHECK(as_json(text) == expected);
}

TEST_CASE("every byte is escaped the same at every place of a long string") {
  for (int byte = 0; byte < 128; ++byte) {
    for (std::size_t place = 0; place < 40; ++place) {
      std::string text(40, 'x');
      text[place] = static_cast<char>(byte);
      const auto back = json::string_of(as_json(text));
      REQUIRE(back == text);
      REQUIRE(nlohmann::json::parse(as_json(text)) == text);
    }
  }
}

TEST_CASE("invalid_utf8 gives the first byte that is not UTF-8") {
  const auto [text, offset] = GENERATE(table<std::string, std::size_t>({
      {"", std::string::npos},
      {"\x7F", std::string::npos},
      {"\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF",
       std::string::npos},
      {"\x80", 0},                // a continuation byte without a first byte
      {"ab\xC0\xAF", 2},          // overlong
      {"ab\xE0\x9F\xBF", 2},      // overlong
      {"ab\xED\xA0\x80", 2},      // a surrogate
      {"ab\xF0\x8F\xBF\xBF", 2},  // overlong
      {"ab\xF4\x90\x80\x80", 2},  // above U+10FFFF
      {"ab\xF5\x80\x80\x80", 2},
      {"ab\xE2\x82", 2},  // cut short
      {"a very long beginning of plain text \xFF", 36},
  }));
  CHECK(json::invalid_utf8(text) == offset);
  std::string out;
  CHECK(json::append_quoted(out, text) == (offset == std::string::npos));
}

TEST_CASE("quoting notices at every place of a long string that it is not UTF-8") {
  for (std::size_t place = 0; place < 200; ++place) {
    std::string text(200, 'x');
    text[place] = '\xFF';
    std::string out;
    CAPTURE(place);
    CHECK_FALSE(json::append_quoted(out, text));
  }
}

TEST_CASE("quoting escapes a character the same at every position") {
  const auto plainly = [](std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      constexpr std::string_view special = "\"\\\n\r\t\b\f";
      constexpr std::string_view letters = "\"\\nrtbf";
      if (const auto at = special.find(c); at != special.npos) {
        (out += '\\') += letters[at];
      } else if (static_cast<unsigned char>(c) < 0x20) {
        constexpr std::string_view digits = "0123456789abcdef";
        (out += "\\u00") += digits[static_cast<unsigned char>(c) / 16];
        out += digits[static_cast<unsigned char>(c) % 16];
      } else {
        out += c;
      }
    }
    return out + '"';
  };
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    // Up to seven eighths of a text are random; some texts are longer than one written block.
    const auto density = random() % 8;
    std::string text(random() % (round % 50 == 0 ? 5000 : 150), 'x');
    for (char& c : text) {
      if (random() % 8 < density) c = static_cast<char>(random() % 128);
    }
    std::string out = "before";
    REQUIRE(json::append_quoted(out, text));
    REQUIRE(out == "before" + plainly(text));
  }
}

TEST_CASE("escapes are undone, and those that are none refused") {
  const auto [inside, expected] = GENERATE(table<std::string, std::optional<std::string>>({
      {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
      {R"(\u0041\u00e9\u20AC)", "A\xC3\xA9\xE2\x82\xAC"},
      {R"(\ud83e\udd99)", "\xF0\x9F\xA6\x99"},
      {R"(a\u0000b)", std::string("a\0b", 3)},
      {R"(x\ud83dy)", "x\xEF\xBF\xBDy"},  // a lone high surrogate
      {R"(x\udd99y)", "x\xEF\xBF\xBDy"},  // a lone low surrogate
      {R"(\ud83d\u0041)",
       "\xEF\xBF\xBD"
       "A"},  // a high one before something else
      {R"(\ud83d\ud83e\udd99)", "\xEF\xBF\xBD\xF0\x9F\xA6\x99"},
      {R"(\u0041\udd99)", "A\xEF\xBF\xBD"},
      {R"(\ud800\udc00\udbff\udfff)", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},  // the first and the last pair
      {R"(\ud7ff\ue000)", "\xED\x9F\xBF\xEE\x80\x80"},                      // beside the surrogates
      {R"(\x)", std::nullopt},
      {R"(\u12)", std::nullopt},
      {R"(\u12g4)", std::nullopt},
      {"\\", std::nullopt},
  }));
  std::string out;
  CHECK(json::append_unescaped(out, inside) == expected.has_value());
  if (expected) CHECK(out == *expected);
}

TEST_CASE("integers are read exactly or not at all") {
  using Integer = std::optional<std::int64_t>;
  const auto [token, expected] = GENERATE(table<std::string, Integer>({
      {"0", 0},
      {"-0", 0},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"9223372036854775808", std::nullopt},
      {"123456789012345678901234567890", std::nullopt},
      {"1.0e2", 100},
      {"1E3", 1000},
      {"100.0", 100},
      {"9007199254740991.0", 9007199254740991},
      {"9007199254740993.0", 9007199254740993},
      {"1.5", std::nullopt},
      {"1e300", std::nullopt},
      {"01", std::nullopt},
      {"+1", std::nullopt},
      {"\"1\"", std::nullopt},
      {"", std::nullopt},
  }));
  INFO(token);
  CHECK(json::integer_of(token) == expected);
  CHECK(json::number_of("1e400") == std::nullopt);
  CHECK(json::number_of("1e-400") == 0.0);
  CHECK(json::number_of("1.5e-400") == 0.0);
  CHECK(json::number_of("-1.5e400") == std::nullopt);
  CHECK(json::number_of("0.1") == 0.1);
  CHECK(json::number_of("NaN") == std::nullopt);
}

}  // namespace
