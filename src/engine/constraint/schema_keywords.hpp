/// \file
/// The supported keywords of JSON schemas.
#pragma once

#include "engine/constraint/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// What the value of a keyword has to be.
enum class KeywordShape : std::uint8_t {
  anything,
  boolean,
  string,
  strings,
  number,
  count,   ///< an integer, 0 or more
  type,    ///< the name of a type, or a list of such names
  values,  ///< a list
  schema,
  schemas,  ///< a list of schemas, not empty
  schema_or_list,
  schema_map,
};

/// The shape of a supported keyword's value; nothing for other keywords.
std::optional<KeywordShape> shape_of(std::string_view keyword);

/// Whether a value is an integer, which may be written as 3.0.
bool is_integer(const Schema& value);

bool has_shape(const Schema& value, KeywordShape shape);

/// What is wrong with a supported keyword's value; empty if nothing is.
std::string fault_of_value(std::string_view keyword, const Schema& value);

/// The value of a keyword that is a count, or `otherwise` if it is absent.
std::uint32_t count_of(const Schema& schema, const char* keyword, std::uint32_t otherwise);

/// The keywords for the elements of a list.
struct ElementKeywords {
  const char* first;  ///< the schemas of the first elements
  const char* rest;   ///< the schema of all others
};
/// Before draft 2020-12, `items` may be the first of the two.
ElementKeywords element_keywords(const Schema& schema);

/// An expression that matches only valid strings of a format, though not all of them; empty for unsupported
/// formats.
std::string_view pattern_of_format(std::string_view format);

}  // namespace inferwire::inline v0_1::engine
