/// \file
/// Limits of JSON schemas that nodes do not count: they are made so that they keep them anyway.
#pragma once

#include <cstddef>

#include "engine/constraint/grammar_draft.hpp"

namespace inferwire::inline v0_1::engine {

/// For multipleOf; false where the number has too many digits.
bool limit_to_multiples(NumberBounds& bounds, double of);

/// For uniqueItems. Elements of one list of values are unlike where each place has values of its own. Of
/// others there is one, unless there have to be more.
void make_unique(Array& array, GrammarDraft& draft);

/// For minProperties: of those that are optional the first are required until there are enough, if there are.
/// `properties` are the first of the object's; what may lead back to the object comes last.
void require_at_least(Object& object, std::size_t least, const Schema& properties);

/// For maxProperties: leaves out the last of those that are optional; false where too many are required.
bool limit_to(Object& object, std::size_t most);

}  // namespace inferwire::inline v0_1::engine
