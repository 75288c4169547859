/// \file
/// Why a schema has no instances.
#pragma once

#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// Of a closed grammar without texts: down from its root to the first of what it needs that has no text.
SchemaFault why_impossible(const Grammar& grammar, const Causes& causes);

}  // namespace inferwire::inline v0_1::engine
