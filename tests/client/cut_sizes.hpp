/// \file
/// Where a recorded stream is cut.
#pragma once

#include "support/sanitized.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace inferwire_test {

/// The sizes to which `stream` is cut: at every byte around its line ends and near its end, where a cut may
/// change what the stream says, elsewhere at every seventh byte; a stream of more than 20,000 bytes at every
/// 997th. Under a sanitizer, which takes long over each, they are fewer.
inline std::vector<std::size_t> cut_sizes(std::string_view stream) {
  constexpr std::size_t step = sanitized ? 29 : 7;
  constexpr std::size_t tail = sanitized ? 32 : 128;
  const bool is_long = stream.size() > 20'000;
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size <= stream.size(); ++size) {
    const auto around = stream.substr(size < 2 ? 0 : size - 2, 3);
    const bool near_end = around.find_first_of("\r\n") != around.npos || stream.size() - size <= tail;
    if (is_long ? size % 997 == 0 : near_end || size % step == 0) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace inferwire_test
