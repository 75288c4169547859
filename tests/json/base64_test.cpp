#include "json/base64.hpp"

#include "inferwire/data_uri.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace inferwire;
using inferwire::json::base64_decode;

TEST_CASE("base64 is written as RFC 4648 has it") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {"\xFF\xFE", "//4="}};
  for (const auto& [bytes, text] : rows) {
    CHECK(to_base64(bytes) == text);
    CHECK(base64_decode(text) == std::string(bytes));
  }
}

TEST_CASE("every byte survives base64, at every length") {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    CHECK(base64_decode(to_base64(bytes)) == bytes);
    bytes += static_cast<char>(i);
  }
}

TEST_CASE("text that is not base64 is refused") {
  for (const auto* text : {"Z", "Zg=", "Zg", "Z===", "====", "Zm9*", "Zm 9", "Zg==Zg==", "=Zg="}) {
    INFO(text);
    CHECK_FALSE(base64_decode(text));
  }
}
