#include "inferwire/data_uri.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "support/catch.hpp"

using inferwire::data_uri;

TEST_CASE("bytes go into a request as a data URI") {
  CHECK(data_uri("image/png", "foobar") == "data:image/png;base64,Zm9vYmFy");
  CHECK(data_uri("application/pdf", std::string("\0\xFF", 2)) == "data:application/pdf;base64,AP8=");
  CHECK(data_uri("text/plain", std::array{std::byte{0xFF}, std::byte{0xFE}}) ==
        "data:text/plain;base64,//4=");
  CHECK(data_uri("text/plain", "") == "data:text/plain;base64,");
  CHECK(inferwire::to_base64("foobar") == "Zm9vYmFy");
  CHECK(inferwire::to_base64(std::array{std::byte{0xFF}, std::byte{0xFE}}) == "//4=");
}
