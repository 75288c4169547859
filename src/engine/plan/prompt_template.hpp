/// \file
/// Prompts that are registered with the engine and named by requests.
#pragma once

#include "engine/document.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/engine.hpp"

#include <optional>
#include <span>
#include <string>

namespace inferwire::inline v0_1::engine {

/// The instructions that a request's `prompt` names, with its variables filled in, or a refusal;
/// std::nullopt if the request has no `prompt`. A variable is a string, or an input_text part.
OrRefusal<std::optional<std::string>> instructions_of(const Document& request,
                                                      std::span<const PromptTemplate> templates);

}  // namespace inferwire::inline v0_1::engine
