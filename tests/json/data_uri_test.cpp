#include "inferwire/data_uri.hpp"

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace inferwire;

TEST_CASE("data_uri and to_base64 encode bytes") {
  CHECK(data_uri("image/png", "foobar") == "data:image/png;base64,Zm9vYmFy");
  CHECK(data_uri("application/pdf", std::string("\0\xFF", 2)) == "data:application/pdf;base64,AP8=");
  CHECK(data_uri("text/plain", std::array{std::byte{0xFF}, std::byte{0xFE}}) ==
        "data:text/plain;base64,//4=");
  CHECK(data_uri("text/plain", "") == "data:text/plain;base64,");
  CHECK(to_base64("foobar") == "Zm9vYmFy");
  CHECK(to_base64(std::array{std::byte{0xFF}, std::byte{0xFE}}) == "//4=");
}

TEST_CASE("data_uri takes any contiguous range of bytes") {
  const std::vector<unsigned char> bytes{0xFF, 0xFE};
  CHECK(data_uri("image/jpeg", bytes) == "data:image/jpeg;base64,//4=");
  CHECK(data_uri("image/jpeg", std::span<const std::uint8_t>(bytes)) == "data:image/jpeg;base64,//4=");
  const std::uint8_t array[] = {0xFF, 0xFE};
  CHECK(to_base64(array) == "//4=");
  CHECK(to_base64(std::vector<char>{'f', 'o', 'o'}) == "Zm9v");
  CHECK(to_base64(std::vector{std::byte{0xFF}, std::byte{0xFE}}) == "//4=");
  STATIC_REQUIRE_FALSE(inferwire::detail::Bytes<std::vector<int>>);
  STATIC_REQUIRE_FALSE(inferwire::detail::Bytes<std::vector<bool>>);
}
