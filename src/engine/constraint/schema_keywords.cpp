#include "engine/constraint/schema_keywords.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace inferwire::inline v0_1::engine {
namespace {

struct Keyword {
  std::string_view name;
  KeywordShape shape;
};

constexpr auto keywords = [] {
  using enum KeywordShape;
  return std::array{
      Keyword{"$ref", string},
      Keyword{"type", type},
      Keyword{"enum", values},
      Keyword{"const", anything},
      Keyword{"anyOf", schemas},
      Keyword{"allOf", schemas},
      Keyword{"oneOf", schemas},
      Keyword{"properties", schema_map},
      Keyword{"required", strings},
      Keyword{"additionalProperties", schema},
      Keyword{"minProperties", count},
      Keyword{"maxProperties", count},
      Keyword{"items", schema_or_list},
      Keyword{"prefixItems", schemas},
      Keyword{"additionalItems", schema},
      Keyword{"minItems", count},
      Keyword{"maxItems", count},
      Keyword{"uniqueItems", boolean},
      Keyword{"minLength", count},
      Keyword{"maxLength", count},
      Keyword{"pattern", string},
      Keyword{"format", string},
      Keyword{"minimum", number},
      Keyword{"maximum", number},
      Keyword{"exclusiveMinimum", number},
      Keyword{"exclusiveMaximum", number},
      Keyword{"multipleOf", number},
  };
}();

constexpr std::array<std::string_view, 7> types{"object",  "array",   "string", "number",
                                                "integer", "boolean", "null"};

struct Format {
  std::string_view name;
  std::string_view pattern;
};

constexpr std::array formats{
    Format{"date", "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$"},
    Format{"time", "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"},
    Format{"date-time",
           "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
           "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"},
    Format{"duration", "^P([1-9][0-9]?D|T[1-9][0-9]?[HMS]|[1-9]W)$"},
    Format{"uuid", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"},
    Format{"email", "^[a-z]{3,8}@[a-z]{3,8}\\.(com|org|net)$"},
    Format{"hostname", "^[a-z]{3,8}(\\.[a-z]{2,5}){1,2}$"},
    Format{"ipv4", "^((1[0-9]{2}|[1-9][0-9]|[0-9])\\.){3}(1[0-9]{2}|[1-9][0-9]|[0-9])$"},
    Format{"ipv6", "^([1-9a-f][0-9a-f]{0,3}:){7}[1-9a-f][0-9a-f]{0,3}$"},
    Format{"uri", "^https://[a-z]{3,8}\\.(com|org)/[a-z]{1,8}$"},
    Format{"uri-reference", "^/[a-z]{1,8}(/[a-z]{1,8}){0,2}$"},
};

bool is_schema(const Schema& value) { return value.is_object() || value.is_boolean(); }
bool is_type(const Schema& value) {
  return value.is_string() && std::ranges::find(types, value.get_ref<const std::string&>()) != types.end();
}
template <class Check>
bool is_list_of(const Schema& value, Check check) {
  return value.is_array() && std::ranges::all_of(value, check);
}

std::string_view name_of(KeywordShape shape) {
  using enum KeywordShape;
  switch (shape) {
    case boolean: return "a boolean";
    case string: return "a string";
    case strings: return "a list of strings";
    case number: return "a number";
    case count: return "an integer of 0 or more";
    case type: return "the name of a type, or a list of such";
    case values: return "a list";
    case schema: return "a schema";
    case schemas: return "a list of schemas";
    case schema_or_list: return "a schema, or a list of schemas";
    case schema_map: return "an object of schemas";
    case anything: break;
  }
  return "a value";
}

}  // namespace

std::optional<KeywordShape> shape_of(std::string_view keyword) {
  const auto found = std::ranges::find(keywords, keyword, &Keyword::name);
  return found == keywords.end() ? std::nullopt : std::optional(found->shape);
}

bool is_integer(const Schema& value) {
  return value.is_number_integer() || (value.is_number() && std::floor(value.get<double>()) == value);
}

bool has_shape(const Schema& value, KeywordShape shape) {
  using enum KeywordShape;
  switch (shape) {
    case anything: return true;
    case boolean: return value.is_boolean();
    case string: return value.is_string();
    case strings: return is_list_of(value, [](const Schema& element) { return element.is_string(); });
    case number: return value.is_number();
    case count: return is_integer(value) && value >= 0;
    case type: return is_type(value) || (!value.empty() && is_list_of(value, is_type));
    case values: return value.is_array();
    case schema: return is_schema(value);
    case schemas: return !value.empty() && is_list_of(value, is_schema);
    case schema_or_list: return is_schema(value) || is_list_of(value, is_schema);
    case schema_map: return value.is_object() && std::ranges::all_of(value, is_schema);
  }
  return false;
}

std::string fault_of_value(std::string_view keyword, const Schema& value) {
  const auto shape = shape_of(keyword);
  if (!shape || has_shape(value, *shape)) return {};
  return "'" + std::string(keyword) + "' is expected to be " + std::string(name_of(*shape));
}

std::uint32_t count_of(const Schema& schema, const char* keyword, std::uint32_t otherwise) {
  const auto found = schema.find(keyword);
  if (found == schema.end()) return otherwise;
  return static_cast<std::uint32_t>(std::min(found->get<double>(), 4e9));
}

ElementKeywords element_keywords(const Schema& schema) {
  const auto items = schema.find("items");
  if (items != schema.end() && items->is_array()) return {"items", "additionalItems"};
  return {"prefixItems", "items"};
}

std::string_view pattern_of_format(std::string_view format) {
  const auto found = std::ranges::find(formats, format, &Format::name);
  return found == formats.end() ? std::string_view() : found->pattern;
}

}  // namespace inferwire::inline v0_1::engine
