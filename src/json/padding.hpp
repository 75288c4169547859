/// \file
/// The padding of documents that are decoded in place.
#pragma once

#include <cstddef>

namespace inferwire::inline v0_1::json {

/// The number of bytes that must be readable after a document that is decoded in place; their values do not
/// matter.
inline constexpr std::size_t padding = 64;

}  // namespace inferwire::inline v0_1::json
