/// \file
/// Two JSON schemas at once.
#pragma once

#include <string>
#include <string_view>

#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// Whether a keyword says nothing about instances.
bool is_annotation(std::string_view keyword);

/// Adds to `schema` what `other` asks for besides. A keyword that cannot be combined is left as it was in
/// `schema` and given back; nothing otherwise.
std::string merge_into(Schema& schema, const Schema& other);

}  // namespace inferwire::inline v0_1::engine
