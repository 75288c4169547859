/// \file
/// Resolves references in JSON schemas.
#pragma once

#include "engine/constraint/schema_report.hpp"

#include <string>

namespace inferwire::inline v0_1::engine {

/// The schema in `document` that a reference leads to; null if there is none.
const Schema* find_reference(const Schema& document, const std::string& reference);

/// Finds the schema that a reference leads to; reports a fault if there is none.
const Schema* resolve(const Schema& document, const std::string& reference, SchemaReport& report);

}  // namespace inferwire::inline v0_1::engine
