/// \file
/// NumPy's files.

#include "cli/commands/npy.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using inferwire::cli::write_npy;

TEST_CASE("write_npy writes an array in pieces of at most 64 KiB") {
  std::vector<float> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::string file;
  std::size_t longest = 0;
  CHECK(write_npy(values, 1000, 100, [&](std::string_view piece) {
    longest = std::max(longest, piece.size());
    file += piece;
    return true;
  }));
  CHECK(longest == 65536);
  REQUIRE(file.size() == 128 + 4 * values.size());
  CHECK(file.starts_with(std::string_view("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', ", 27)));
  CHECK(file.find("(1000, 100), }") < 128);
  CHECK(file[127] == '\n');
  const auto* const numbers = reinterpret_cast<const unsigned char*>(file.data()) + 128;
  const auto bytes_of_last = std::string_view(file).substr(file.size() - 4);
  CHECK(bytes_of_last == std::string_view("\x80\x4f\xc3\x47", 4));  // 99,999, the lowest byte first
  CHECK(std::all_of(numbers, numbers + 4, [](unsigned char byte) { return byte == 0; }));
}

TEST_CASE("write_npy ends at the first piece that cannot be written") {
  const std::vector<float> values(100'000);
  int written = 0;
  CHECK_FALSE(write_npy(values, 100'000, 1, [&](std::string_view) { return ++written < 3; }));
  CHECK(written == 3);
}
