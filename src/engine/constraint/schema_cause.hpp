/// \file
/// Why a schema has no instances.
#pragma once

#include <map>

#include "engine/constraint/grammar.hpp"
#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// What is wrong with nodes for which nothing can be written, by themselves.
using Causes = std::map<NodeId, SchemaFault>;

/// Of a closed grammar without texts: down from its root to the first of what it needs that has no text.
SchemaFault why_impossible(const Grammar& grammar, const Causes& causes);

}  // namespace inferwire::inline v0_1::engine
