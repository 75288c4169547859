/// \file
/// The reasoning of models before they answer.
#pragma once

#include "engine/answer/choice.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// The reasoning part of an answer, whose length depends on `effort` ("medium" if absent); std::nullopt for
/// "none".
std::optional<Part> reasoning_part(std::string_view effort);

/// Reasoning with a token budget, as in Claude's API.
Part reasoning_part(int budget);

/// Accompanies a thought and must be sent back with it unchanged. Opaque to clients.
std::string signature_of(std::string_view thought);

}  // namespace inferwire::inline v0_1::engine
