#include "cli/terminal/foreign_text.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>

using inferwire::cli::ForeignText;

namespace {

constexpr std::string_view hostile =
    "ok\x1B]0;title\x07\x1B[2J\x1B]52;c;cm0=\x07\r\n\t\xC2\x9Bm \x9Bm \x7F\xC3\xB6 \xE2\x82\xAC "
    "\xF0\x9F\x98\x80.";

}  // namespace

TEST_CASE("a terminal gets no control characters of others, however their text is split") {
  constexpr std::string_view harmless =
      "ok]0;title[2J]52;c;cm0=\n\tm m \xC3\xB6 \xE2\x82\xAC \xF0\x9F\x98\x80.";
  for (std::size_t size = 1; size <= hostile.size(); ++size) {
    CAPTURE(size);
    ForeignText text(true);
    std::string shown;
    for (std::size_t at = 0; at < hostile.size(); at += size) shown += text.shown(hostile.substr(at, size));
    CHECK(shown == harmless);
  }
}

TEST_CASE("a text that is read by a program is printed byte for byte") {
  ForeignText text(false);
  std::string shown;
  for (const char c : hostile) shown += text.shown({&c, 1});
  CHECK(shown == hostile);
}

TEST_CASE("a character that is never finished is not printed, and the next piece is") {
  ForeignText text(true);
  CHECK(text.shown("a\xE2\x82") == "a");
  CHECK(text.shown("b") ==
        "\xE2"
        "b");
  CHECK(text.shown("\xC2\xC2") == "\xC2");
}
