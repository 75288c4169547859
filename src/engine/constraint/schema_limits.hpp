/// \file
/// Limits in JSON schemas that nodes do not check: nodes are built so that they cannot be violated.
#pragma once

#include "engine/constraint/grammar_draft.hpp"

#include <cstddef>

namespace inferwire::inline v0_1::engine {

/// The most digits of a multipleOf, and the most of them after the decimal point.
inline constexpr int most_digits = 15, most_decimals = 9;

/// For multipleOf; false if the number has too many digits.
bool limit_to_multiples(NumberBounds& bounds, double of);

/// For uniqueItems. If elements are from a list of values, these are distributed among the places, so that
/// elements differ. Other arrays get at most one element, unless more are required.
void make_unique(Array& array, GrammarDraft& draft);

/// For minProperties: makes the first optional properties required until there are enough. `properties` are
/// the declared ones, with which the object begins; references, which may be recursive, are chosen last.
void require_at_least(Object& object, std::size_t least, const Schema& properties);

/// For maxProperties: removes the last optional properties; false if too many are required.
bool limit_to(Object& object, std::size_t most);

}  // namespace inferwire::inline v0_1::engine
