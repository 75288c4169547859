/// \file
/// What reasoning models think before they answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/answer/choice.hpp"

namespace inferwire::inline v0_1::engine {

/// The part of an answer in which the model reasons, as long as `effort` says ("medium" when it is absent);
/// nothing for "none".
std::optional<Part> reasoning_part(std::string_view effort);

/// Reasoning with a budget, as Claude has it.
Part reasoning_part(int budget);

/// Stands beside a thought and has to come back with it unchanged. Opaque to clients.
std::string signature_of(std::string_view thought);

}  // namespace inferwire::inline v0_1::engine
