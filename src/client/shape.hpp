/// \file
/// What kind of answer a call waits for.
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1::client {

/// The kinds differ in their timers and in what a request says of itself.
enum class Shape : std::uint8_t { whole, stream };

}  // namespace inferwire::inline v0_1::client
