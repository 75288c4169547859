/// \file
/// Two JSON schemas at once.
#pragma once

#include <string>

#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// Adds to `schema` what `other` asks for besides; neither has annotations. A keyword that cannot be combined
/// is left as it was in `schema` and given back; nothing otherwise.
std::string merge_into(Schema& schema, const Schema& other);

}  // namespace inferwire::inline v0_1::engine
