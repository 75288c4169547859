/// \file
/// Checks a chat completion request before it is planned.
#pragma once

#include "engine/plan/question.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/language_model.hpp"

#include <optional>

namespace inferwire::inline v0_1::engine {

/// The first offence, in the order of rules, relations between members, the endpoint's abilities.
std::optional<Refusal> check_chat(const Question& question, const LanguageModel& model);

}  // namespace inferwire::inline v0_1::engine
