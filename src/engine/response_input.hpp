/// \file
/// The input of the Responses API: what its items have to be to each other, and how the model reads them.
#pragma once

#include <optional>
#include <vector>

#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/responses.hpp"

namespace inferwire::inline v0_1::engine {

/// Checks `input`, each item of which keeps the rules of its dialect: what the model can read, that outputs
/// answer calls, and that calls have an object for arguments.
std::optional<Refusal> check_input(const Document& input);

/// The conversation that a request holds, instructions first. Reasoning is the model's own and not read
/// again.
std::vector<ChatTurn> turns_of(const responses::Request& request);

}  // namespace inferwire::inline v0_1::engine
