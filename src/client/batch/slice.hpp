/// \file
/// The part of a batch that is sent in one request.
#pragma once

#include <cstddef>

namespace inferwire::inline v0_1::client {

struct Slice {
  std::size_t first{};  ///< the first input
  std::size_t count{1};
};

}  // namespace inferwire::inline v0_1::client
