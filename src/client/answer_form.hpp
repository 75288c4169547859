/// \file
/// In which form a call gets its answer.
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1::client {

/// The forms differ in their timers and in what a request says of itself.
enum class AnswerForm : std::uint8_t { whole, stream };

}  // namespace inferwire::inline v0_1::client
