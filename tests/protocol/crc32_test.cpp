#include "protocol/framing/crc32.hpp"

#include "support/catch.hpp"

#include <string>

using inferwire::protocol::crc32;

TEST_CASE("crc32 gives the published values") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926);  // the check value in the catalogue of CRC algorithms
  CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339);
  CHECK(crc32(std::string(32, '\xFF')) == 0xFF6CAB0B);
}

TEST_CASE("crc32 can be continued") {
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += static_cast<char>(i * 37 + 11);
  const std::string_view text = bytes;
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    CHECK(crc32(text.substr(cut), crc32(text.substr(0, cut))) == crc32(text));
  }
}
