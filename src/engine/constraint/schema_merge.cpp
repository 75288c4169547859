#include "engine/constraint/schema_merge.hpp"

#include "engine/constraint/regex.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace inferwire::inline v0_1::engine {
namespace {

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 5> lower_bounds{"minimum", "exclusiveMinimum", "minLength", "minItems",
                                                       "minProperties"};
constexpr std::array<std::string_view, 5> upper_bounds{"maximum", "exclusiveMaximum", "maxLength", "maxItems",
                                                       "maxProperties"};

Schema both(const Schema& a, const Schema& b) {
  return a == b ? a : Schema{{"allOf", Schema::array({a, b})}};
}

Schema as_list(const Schema& value) { return value.is_array() ? value : Schema::array({value}); }

bool contains(const Schema& list, const Schema& value) {
  return std::ranges::find(list, value) != list.end();
}

/// Keeps the duplicates within `b`: finding those of a long list takes long.
Schema union_of(const Schema& a, const Schema& b) {
  auto out = a;
  std::ranges::copy_if(b, std::back_inserter(out), [&](const Schema& value) { return !contains(a, value); });
  return out;
}

Schema intersection(const Schema& a, const Schema& b) {
  auto out = Schema::array();
  std::ranges::copy_if(a, std::back_inserter(out), [&](const Schema& value) { return contains(b, value); });
  return out;
}

/// The types in both lists; every integer is a number.
Schema common_types(const Schema& a, const Schema& b) {
  const auto widened = [](const Schema& types) {
    auto out = as_list(types);
    if (contains(out, "number")) out = union_of(out, Schema::array({"integer"}));
    return out;
  };
  auto out = intersection(widened(a), widened(b));
  if (contains(out, "number")) out.erase(std::ranges::find(out, Schema("integer")));
  return out;
}

bool has_property(const Schema& schema, const std::string& name) {
  const auto properties = schema.find("properties");
  return properties != schema.end() && properties->contains(name);
}

/// Applies the `additionalProperties` of `schema` to the `properties` that it does not name.
void apply_to_others(Schema& properties, const Schema& schema) {
  const auto rest = schema.find("additionalProperties");
  if (rest == schema.end()) return;
  for (auto& [name, value] : properties.items()) {
    if (!has_property(schema, name)) value = both(value, *rest);
  }
}

Schema merged_properties(const Schema& a, const Schema& b) {
  auto out = a.value("properties", Schema::object());
  apply_to_others(out, b);
  auto more = b.value("properties", Schema::object());
  apply_to_others(more, a);
  auto& members = out.get_ref<Schema::object_t&>();
  members.reserve(out.size() + more.size());
  for (auto& [name, value] : more.items()) {
    // New names are appended: searching for each among the others would take long.
    if (has_property(a, name)) {
      out[name] = both(out[name], value);
    } else {
      members.emplace_back(name, std::move(value));
    }
  }
  return out;
}

/// The schema of the element at `index`.
Schema element_of(const Schema& schema, std::size_t index) {
  const auto first = schema.find("prefixItems");
  if (first != schema.end() && index < first->size()) return (*first)[index];
  return schema.value("items", Schema(true));
}

/// The `prefixItems` of both; the `items` of each apply to those elements that only the other one names.
Schema merged_first_elements(const Schema& a, const Schema& b) {
  const auto count_in = [](const Schema& schema) {
    const auto first = schema.find("prefixItems");
    return first == schema.end() ? std::size_t{0} : first->size();
  };
  auto out = Schema::array();
  for (std::size_t i = 0; i < std::max(count_in(a), count_in(b)); ++i) {
    out.push_back(both(element_of(a, i), element_of(b, i)));
  }
  return out;
}

/// The schema with const replaced by an enum of one value.
Schema without_const(Schema schema) {
  if (const auto found = schema.find("const"); found != schema.end()) {
    auto value = Schema::array({*found});
    schema.erase("const");
    schema["enum"] = schema.contains("enum") ? intersection(value, schema["enum"]) : std::move(value);
  }
  return schema;
}

/// Combines two different values of one keyword; false if that is not possible.
bool combine(const std::string& keyword, Schema& value, const Schema& other) {
  if (is_one_of(lower_bounds, keyword)) {
    value = std::max(value, other);
  } else if (is_one_of(upper_bounds, keyword)) {
    value = std::min(value, other);
  } else if (keyword == "type") {
    value = common_types(value, other);
  } else if (keyword == "required") {
    value = union_of(value, other);
  } else if (keyword == "enum") {
    value = intersection(value, other);
  } else if (keyword == "pattern") {
    value = Regex::both(value.get<std::string>(), other.get<std::string>());
  } else if (keyword == "allOf") {
    value.insert(value.end(), other.begin(), other.end());
  } else if (keyword == "additionalProperties" ||
             (keyword == "items" && !value.is_array() && !other.is_array())) {
    value = both(value, other);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string merge_into(Schema& schema, const Schema& other) {
  if (other.is_boolean() || schema.is_boolean()) {
    if (schema == true || other == false) schema = other;
    return {};
  }
  const bool has_properties = schema.contains("properties") || other.contains("properties");
  auto properties = has_properties ? merged_properties(schema, other) : Schema();
  const bool has_first = schema.contains("prefixItems") || other.contains("prefixItems");
  auto first = has_first ? merged_first_elements(schema, other) : Schema();
  schema = without_const(std::move(schema));
  std::string conflict;
  const auto more = without_const(other);
  for (const auto& [keyword, value] : more.items()) {
    const auto own = schema.find(keyword);
    if (own == schema.end()) {
      schema[keyword] = value;
    } else if (keyword != "properties" && keyword != "prefixItems" && *own != value &&
               !combine(keyword, *own, value)) {
      conflict = keyword;
    }
  }
  if (has_properties) schema["properties"] = std::move(properties);
  if (has_first) schema["prefixItems"] = std::move(first);
  if (schema.contains("type") && schema["type"].empty()) schema = false;  // no value has none of the types
  return conflict;
}

}  // namespace inferwire::inline v0_1::engine
