#include "base/controls.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace utf8 = inferwire::utf8;

TEST_CASE("control characters are taken out of a text") {
  struct Row {
    std::string_view text, shown;
  };
  using namespace std::string_view_literals;
  constexpr Row rows[] = {
      {"", ""},
      {"plain, \xC3\xB6, \xE2\x82\xAC, \xF0\x9F\x98\x80", "plain, \xC3\xB6, \xE2\x82\xAC, \xF0\x9F\x98\x80"},
      {"\0a\x1F\x7F"sv, "_a__"},
      {"a\x1B[2J", "a_[2J"},
      {"\xC2\x80\xC2\x9F\xC2\xA0", "__\xC2\xA0"},  // C1, and a space behind them
      {"\x9Bm \xA0", "_m \xA0"},                   // bytes that belong to no character
      {"\xE2\x9B", "\xE2_"},                       // an unfinished one
      {"\xE2\x9Bx\xC2", "\xE2_x\xC2"},
      {"\xC2\xC2\x9B", "\xC2_"},
  };
  for (const auto& [text, shown] : rows) {
    CAPTURE(text);
    CHECK(utf8::without_controls(text, "_") == shown);
  }
}

TEST_CASE("control characters that are to be kept stay, and the others may go without a trace") {
  CHECK(utf8::without_controls("a\tb\r\n\x1B]0;c\x07", "", "\n\t") == "a\tb\n]0;c");
}

TEST_CASE("a text becomes one line, whatever is in it") {
  CHECK(utf8::one_line("a\r\nb\tc\xC2\x85z") == "a  b c z");
}
