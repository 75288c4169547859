#include "json/outline.hpp"

#include <string>
#include <string_view>

#include "support/catch.hpp"

namespace {

using namespace inferwire;

/// The text with an 's' for each byte of a string, up to `most` bytes.
std::string outline(std::string_view text, std::size_t most = std::string_view::npos) {
  std::string out;
  json::each_byte(text, [&](char c, bool in_string) {
    out += in_string ? 's' : c;
    return out.size() < most;
  });
  return out;
}

TEST_CASE("bytes of strings are told from the others", "[outline]") {
  CHECK(outline(R"({"a": [1, "b,]"]})") == "{sss: [1, sssss]}");
  CHECK(outline(R"("\"" ,"\\",)") == "ssss ,ssss,");
  CHECK(outline(R"("\\\"]"])") == "sssssss]");
  CHECK(outline("").empty());
}

TEST_CASE("a text that is cut, or no JSON, is walked to its end", "[outline]") {
  CHECK(outline(R"(["ab)") == "[sss");
  CHECK(outline(R"(["a\)") == "[sss");
  CHECK(outline(R"(\"a",)") == "\\sss,");  // a backslash escapes in strings alone
}

TEST_CASE("a walk ends where it is told to", "[outline]") {
  CHECK(outline("[[[[", 2) == "[[");
  CHECK(outline(R"("abc")", 3) == "sss");
}

}  // namespace
