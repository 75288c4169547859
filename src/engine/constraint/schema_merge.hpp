/// \file
/// Merges two JSON schemas into one.
#pragma once

#include "engine/constraint/schema.hpp"

#include <string>

namespace inferwire::inline v0_1::engine {

/// Adds the requirements of `other` to `schema`; neither has annotations. A keyword that cannot be combined
/// stays as it was in `schema` and is returned; otherwise the result is empty.
std::string merge_into(Schema& schema, const Schema& other);

}  // namespace inferwire::inline v0_1::engine
