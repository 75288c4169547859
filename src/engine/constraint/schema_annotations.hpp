/// \file
/// Annotations: keywords that do not restrict instances.
#pragma once

#include "engine/constraint/schema.hpp"

#include <string_view>

namespace inferwire::inline v0_1::engine {

/// Whether a keyword does not restrict instances.
bool is_annotation(std::string_view keyword);

/// A schema without annotations, at any depth. Definitions, which only references lead to, are also left out.
Schema without_annotations(const Schema& schema);

}  // namespace inferwire::inline v0_1::engine
