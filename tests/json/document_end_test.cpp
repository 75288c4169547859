#include "json/document_end.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using inferwire::json::DocumentEnd;

TEST_CASE("DocumentEnd finds the byte that closes an object or list, in every split") {
  struct Row {
    std::string_view text;
    std::size_t end;  // the number of bytes after which it is complete; 0: never
    bool stays{true};
  };
  constexpr Row rows[] = {{"{}", 2},
                          {R"( {"a":[1,{}]} )", 13},
                          {R"({"}\\\"}":"]"})", 14},
                          {"[]]", 2, false},
                          {"[] \n x", 2, false},
                          {"", 0},
                          {"{", 0},
                          {"{]", 0},
                          {"}", 0},
                          {R"({"a"})", 0},
                          {"1", 0},
                          {R"("{}")", 0}};
  for (const auto& [text, end, stays] : rows) {
    CAPTURE(text);
    DocumentEnd by_bytes;
    bool was_whole = false;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const bool whole = by_bytes.is_reached(text.substr(0, size));
      CHECK(whole == DocumentEnd().is_reached(text.substr(0, size)));
      if (whole && !was_whole) CHECK(size == end);
      was_whole = was_whole || whole;
    }
    CHECK(was_whole == (end != 0));
    CHECK(by_bytes.is_reached(text) == (end != 0 && stays));
  }
}
