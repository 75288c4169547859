/// \file
/// What schemas say about themselves.
#pragma once

#include <string_view>

#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// Whether a keyword says nothing about instances.
bool is_annotation(std::string_view keyword);

/// What a schema and those inside of it say about instances. What they define for references to lead to is
/// left out, too.
Schema without_annotations(const Schema& schema);

}  // namespace inferwire::inline v0_1::engine
