/// \file
/// Why a schema has no instances.
#pragma once

#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// Explains why a closed grammar has no texts: goes down from its root to the first required node that has
/// none.
SchemaFault why_impossible(const Grammar& grammar, const Causes& causes);

}  // namespace inferwire::inline v0_1::engine
