/// \file
/// The keywords of JSON schemas that a grammar can be made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// What a keyword's value has to be.
enum class KeywordShape : std::uint8_t {
  anything,
  boolean,
  string,
  strings,
  number,
  count,   ///< an integer, 0 or more
  type,    ///< a name of a type, or a list of such
  values,  ///< a list
  schema,
  schemas,  ///< a list of schemas, not empty
  schema_or_list,
  schema_map,
};

/// The shape of a supported keyword's value; nothing for other keywords.
std::optional<KeywordShape> shape_of(std::string_view keyword);

bool has_shape(const Schema& value, KeywordShape shape);

/// What is wrong with a supported keyword's value; empty when nothing is.
std::string fault_of_value(std::string_view keyword, const Schema& value);

/// The count under a keyword, or `otherwise` where there is none.
std::uint32_t count_of(const Schema& schema, const char* keyword, std::uint32_t otherwise);

/// The expression that strings of a format match, all of them valid, not all that are; empty for formats that
/// are not supported.
std::string_view pattern_of_format(std::string_view format);

}  // namespace inferwire::inline v0_1::engine
