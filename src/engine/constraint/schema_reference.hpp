/// \file
/// Where references of JSON schemas lead.
#pragma once

#include <string>

#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// The schema in `document` that a reference leads to; null where there is none.
const Schema* find_reference(const Schema& document, const std::string& reference);

/// Finds what a reference names; reports a fault if there is nothing.
const Schema* resolve(const Schema& document, const std::string& reference, SchemaReport& report);

}  // namespace inferwire::inline v0_1::engine
