#include "base/utf8.hpp"

#include <string>

#include "support/catch.hpp"

using inferwire::utf8::characters_in;
using inferwire::utf8::whole_characters;

TEST_CASE("a text is cut between its characters") {
  struct Row {
    std::string_view text;
    std::size_t most;
    std::string_view cut;
  };
  constexpr Row rows[] = {{"", 0, ""},       {"abc", 0, ""},   {"abc", 2, "ab"},  {"abc", 3, "abc"},
                          {"abc", 4, "abc"}, {"äb", 1, ""},    {"äb", 2, "ä"},    {"aä", 2, "a"},
                          {"a€b", 3, "a"},   {"a€b", 4, "a€"}, {"😀😀", 7, "😀"}, {"😀😀", 8, "😀😀"}};
  for (const auto& [text, most, cut] : rows) {
    CAPTURE(text, most);
    CHECK(whole_characters(text, most) == cut);
  }
  CHECK(whole_characters("\x80\x80\x80", 2).empty());  // text that is not UTF-8 only may not get too long
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(characters_in("") == 0);
  CHECK(characters_in("abc") == 3);
  CHECK(characters_in("aä€😀") == 4);
  CHECK(characters_in("\x80\xE2\x82") == 1);  // only first bytes count
}
