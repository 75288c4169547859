/// \file
/// Checks that a parser does not move its input again for every piece.
#pragma once

#include "support/catch.hpp"

#include <cstddef>
#include <thread>

namespace inferwire_test {

/// `moved_for(size)` is how many bytes a parser moves for `size` bytes that it gets in small pieces. They
/// have to grow with the size, not with its square.
template <class MovedFor>
void check_linear(MovedFor moved_for) {
  const auto moved = [&](std::size_t size) {
    std::size_t bytes = 0;
    std::thread([&] { bytes = moved_for(size); }).join();  // no earlier buffer has left memory there
    return bytes;
  };
  const std::size_t small = moved(std::size_t{1} << 18);
  const std::size_t large = moved(std::size_t{1} << 21);
  CHECK(small > 0);
  CHECK(large <= 16 * small);
  CHECK(large <= 4 * (std::size_t{1} << 21));
}

}  // namespace inferwire_test
