#include "base/utf8.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <ios>
#include <string>
#include <string_view>

namespace utf8 = inferwire::utf8;
using utf8::characters_in;
using utf8::whole_characters;

TEST_CASE("whole_characters cuts a text between its characters") {
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

TEST_CASE("every code point is recognised, whole and unfinished, and read back") {
  using Kind = utf8::Character::Kind;
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point == 0xD800) code_point = 0xE000;
    std::string text;
    utf8::append(text, code_point);
    const auto whole = utf8::first_character(text + "x");
    bool right = whole.kind == Kind::whole && whole.length == text.size();
    right = right && utf8::code_point(text) == code_point;
    for (std::size_t size = 1; size < text.size(); ++size) {
      const auto cut = utf8::first_character(std::string_view(text).substr(0, size));
      right = right && cut.kind == Kind::unfinished && cut.length == size;
    }
    if (!right) FAIL("U+" << std::hex << static_cast<std::uint32_t>(code_point));
  }
}

TEST_CASE("utf8::first_character gives the length of an invalid sequence") {
  struct Row {
    std::string_view text;
    std::size_t length;
  };
  constexpr Row rows[] = {{"\x80", 1},     {"\xC1\xBF", 1},         {"\xC2x", 1},
                          {"\xE0\x9F", 1}, {"\xED\xA0\x80", 1},     {"\xE2\x82x", 2},
                          {"\xF0\x8F", 1}, {"\xF4\x90\x80\x80", 1}, {"\xF5\x80", 1}};
  for (const auto& [text, length] : rows) {
    CAPTURE(text);
    const auto found = utf8::first_character(text);
    CHECK(found.kind == utf8::Character::Kind::invalid);
    CHECK(found.length == length);
  }
}
