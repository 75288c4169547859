/// \file
/// Checks a request of the Responses API before it is planned.
#pragma once

#include "engine/plan/question.hpp"
#include "engine/refusal.hpp"

#include <optional>

namespace inferwire::inline v0_1::engine {

/// The first offence of a request that follows the rules, in the order of relations between members, the
/// endpoint's abilities.
std::optional<Refusal> check_response(const Question& question);

}  // namespace inferwire::inline v0_1::engine
