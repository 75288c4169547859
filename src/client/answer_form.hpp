/// \file
/// The form in which a call receives its answer.
#pragma once

#include <cstdint>

namespace inferwire::inline v0_1::client {

/// The forms differ in their timers and in the request's headers.
enum class AnswerForm : std::uint8_t { whole, stream };

}  // namespace inferwire::inline v0_1::client
