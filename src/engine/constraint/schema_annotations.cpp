#include "engine/constraint/schema_annotations.hpp"

#include "engine/constraint/schema_keywords.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr std::array<std::string_view, 14> annotations{
    "title",    "description", "default",    "examples", "$schema", "$id",         "$comment",
    "readOnly", "writeOnly",   "deprecated", "$anchor",  "$defs",   "definitions", "contentMediaType"};

Schema each_without_annotations(const Schema& schemas) {
  auto out = Schema::array();
  for (const auto& schema : schemas) out.push_back(without_annotations(schema));
  return out;
}

/// The names are not keywords. Members are appended, since searching for each name would take long.
Schema map_without_annotations(const Schema& schemas) {
  auto out = Schema::object();
  auto& members = out.get_ref<Schema::object_t&>();
  members.reserve(schemas.size());
  for (const auto& [name, schema] : schemas.items()) members.emplace_back(name, without_annotations(schema));
  return out;
}

/// A keyword's value; unchanged if it holds no schemas or does not have the keyword's shape.
Schema value_without_annotations(const Schema& value, std::optional<KeywordShape> shape) {
  using enum KeywordShape;
  if (shape == schema) return without_annotations(value);
  if (shape == schema_map && value.is_object()) return map_without_annotations(value);
  if (shape == schemas || shape == schema_or_list) {
    return value.is_array() ? each_without_annotations(value) : without_annotations(value);
  }
  return value;
}

}  // namespace

bool is_annotation(std::string_view keyword) {
  return std::ranges::find(annotations, keyword) != annotations.end();
}

Schema without_annotations(const Schema& schema) {
  if (!schema.is_object()) return schema;
  auto out = Schema::object();
  auto& members = out.get_ref<Schema::object_t&>();
  members.reserve(schema.size());
  for (const auto& [keyword, value] : schema.items()) {
    if (is_annotation(keyword)) continue;
    members.emplace_back(keyword, value_without_annotations(value, shape_of(keyword)));
  }
  return out;
}

}  // namespace inferwire::inline v0_1::engine
