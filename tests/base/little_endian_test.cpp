#include "base/little_endian.hpp"

#include "support/catch.hpp"

#include <cstring>
#include <string>
#include <vector>

using namespace inferwire;

namespace {
const std::vector<float> numbers{1.0F, -2.5F, 3.0e-39F};
constexpr unsigned char bytes[] = {0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0, 0xC8, 0xAA, 0x20, 0};
}  // namespace

TEST_CASE("floats are written with the lowest byte first") {
  std::string out = "before";
  append_little_endian(out, numbers);
  CHECK(out == "before" + std::string(std::begin(bytes), std::end(bytes)));
}

TEST_CASE("floats are read with the lowest byte first") {
  std::vector<float> read(numbers.size());
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = little_endian_float(bytes + 4 * i);
  CHECK(read == numbers);

  std::memcpy(read.data(), bytes, sizeof bytes);
  read_little_endian(read);
  CHECK(read == numbers);
}
