#include "json/outline.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>

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

TEST_CASE("each_byte tells bytes of strings from the others", "[outline]") {
  CHECK(outline(R"({"a": [1, "b,]"]})") == "{sss: [1, sssss]}");
  CHECK(outline(R"("\"" ,"\\",)") == "ssss ,ssss,");
  CHECK(outline(R"("\\\"]"])") == "sssssss]");
  CHECK(outline("").empty());
}

TEST_CASE("each_byte walks a text that is cut or no JSON to its end", "[outline]") {
  CHECK(outline(R"(["ab)") == "[sss");
  CHECK(outline(R"(["a\)") == "[sss");
  CHECK(outline(R"(\"a",)") == "\\sss,");  // a backslash escapes only in strings
}

TEST_CASE("each_byte ends where it is told to", "[outline]") {
  CHECK(outline("[[[[", 2) == "[[");
  CHECK(outline(R"("abc")", 3) == "sss");
}

}  // namespace
