#include "engine/constraint/schema_instance.hpp"

#include "base/utf8.hpp"
#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_keywords.hpp"
#include "engine/constraint/schema_reference.hpp"
#include "engine/constraint/schema_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr int deepest_value = 64;
/// How many values are examined in the time it takes to make a state of a pattern.
constexpr std::size_t work_of_state = 500;

bool is_of_type(const Schema& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_integer(value);
  if (type == "boolean") return value.is_boolean();
  return value.is_null();
}

/// Whether a pattern decides exactly whether a text matches: negated classes cover only these characters.
bool is_plain(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

/// Computes with a tolerance, as if with decimals: 0.3 is three times 0.1.
bool is_multiple(double number, double step) {
  const double times = number / step;
  return std::abs(times - std::round(times)) <= 1e-9 * std::max(1.0, std::abs(times));
}

bool is_unique(const Schema& list) {
  for (auto at = list.begin(); at != list.end(); ++at) {
    if (std::find(list.begin(), at, *at) != at) return false;
  }
  return true;
}

}  // namespace

bool InstanceCheck::holds(const Schema& schema, const Schema& value) {
  const auto work = 1 + std::uint64_t{schema.size()} * (value.is_structured() ? 1 + value.size() : 1);
  if (!work_.spend(work) || depth_ > deepest_value) return false;
  if (schema.is_boolean()) return schema.get<bool>();
  ++depth_;
  const bool kept =
      std::ranges::all_of(schema.items(), [&](const auto& item) { return keeps(item.key(), schema, value); });
  --depth_;
  return kept;
}

bool InstanceCheck::keeps(const std::string& keyword, const Schema& schema, const Schema& value) {
  if (is_annotation(keyword)) return true;
  const auto& bound = schema[keyword];
  const auto shape = shape_of(keyword);
  if (!shape || !has_shape(bound, *shape)) return doubt_;
  const auto is_instance_of = [&](const Schema& other) { return holds(other, value); };
  const auto is_of = [&](const Schema& type) {
    return is_of_type(value, type.get_ref<const std::string&>());
  };
  if (keyword == "const" || keyword == "enum") work_.spend(work_of_copying(bound));  // comparing is as much
  if (keyword == "const") return value == bound;
  if (keyword == "enum") return std::ranges::find(bound, value) != bound.end();
  if (keyword == "type") return bound.is_array() ? std::ranges::any_of(bound, is_of) : is_of(bound);
  if (keyword == "allOf") return std::ranges::all_of(bound, is_instance_of);
  if (keyword == "anyOf") return std::ranges::any_of(bound, is_instance_of);
  if (keyword == "oneOf") return std::ranges::count_if(bound, is_instance_of) == 1;
  if (keyword == "$ref") {
    const auto [known, is_new] = references_.try_emplace(bound.get<std::string>());
    if (is_new) known->second = find_reference(document_, known->first);
    return known->second != nullptr ? holds(*known->second, value) : doubt_;
  }
  if (value.is_object()) return object_keeps(keyword, schema, value);
  if (value.is_array()) return list_keeps(keyword, schema, value);
  if (value.is_string()) return text_keeps(keyword, bound, value.get_ref<const std::string&>());
  return !value.is_number() || shape != KeywordShape::number ||
         number_keeps(keyword, bound.get<double>(), value.get<double>());
}

bool InstanceCheck::number_keeps(const std::string& keyword, double bound, double number) const {
  if (keyword == "minimum") return number >= bound;
  if (keyword == "maximum") return number <= bound;
  if (keyword == "exclusiveMinimum") return number > bound;
  if (keyword == "exclusiveMaximum") return number < bound;
  return bound > 0 ? is_multiple(number, bound) : doubt_;
}

/// Ignores formats, which are annotations: their patterns match only some of the valid strings.
bool InstanceCheck::text_keeps(const std::string& keyword, const Schema& bound, const std::string& text) {
  work_.spend(work_of_writing(text.size()));
  const auto length = static_cast<double>(utf8::characters_in(text));
  if (keyword == "minLength") return length >= bound.get<double>();
  if (keyword == "maxLength") return length <= bound.get<double>();
  return keyword != "pattern" || matches(bound.get<std::string>(), text);
}

bool InstanceCheck::matches(const std::string& pattern, const std::string& text) {
  auto known = patterns_.find(pattern);
  if (known == patterns_.end()) {
    std::size_t states = 0;
    auto compiled = Pattern::compile(pattern, {}, most_states_of_pattern, &states);
    work_.spend(states * work_of_state);
    auto* found = std::get_if<Pattern>(&compiled);
    known = patterns_.emplace(pattern, found ? std::optional(std::move(*found)) : std::nullopt).first;
  }
  if (!known->second) return doubt_;
  auto state = Pattern::start;
  const auto quoted = print(Schema(text));
  for (const char byte : std::string_view(quoted).substr(1, quoted.size() - 2)) {
    state = known->second->next(state, byte);
  }
  return known->second->accepts(state) || (doubt_ && !is_plain(text));
}

bool InstanceCheck::list_keeps(const std::string& keyword, const Schema& schema, const Schema& list) {
  const auto& bound = schema[keyword];
  if (keyword == "minItems") return static_cast<double>(list.size()) >= bound.get<double>();
  if (keyword == "maxItems") return static_cast<double>(list.size()) <= bound.get<double>();
  if (keyword == "uniqueItems") {
    const bool affordable = work_.spend(list.size() * work_of_copying(list));
    return !bound.get<bool>() || (affordable && is_unique(list));
  }
  const auto [first, rest] = element_keywords(schema);
  const bool is_rest = keyword == rest;
  if (!is_rest && keyword != first) return true;
  const auto schemas = schema.find(first);
  const auto count = schemas != schema.end() && schemas->is_array() ? schemas->size() : 0;
  const auto begin = is_rest ? count : 0;
  const auto end = is_rest ? list.size() : std::min(list.size(), count);
  for (auto at = begin; at < end; ++at) {
    if (!holds(is_rest ? bound : bound[at], list[at])) return false;
  }
  return true;
}

bool InstanceCheck::object_keeps(const std::string& keyword, const Schema& schema, const Schema& object) {
  const auto& bound = schema[keyword];
  if (keyword == "minProperties") return static_cast<double>(object.size()) >= bound.get<double>();
  if (keyword == "maxProperties") return static_cast<double>(object.size()) <= bound.get<double>();
  if (keyword == "required") {
    work_.spend(std::uint64_t{bound.size()} * object.size());
    return std::ranges::all_of(
        bound, [&](const Schema& name) { return object.contains(name.get_ref<const std::string&>()); });
  }
  const bool is_named = keyword == "properties";
  if (!is_named && keyword != "additionalProperties") return true;
  const auto properties = schema.find("properties");
  return std::ranges::all_of(object.items(), [&](const auto& member) {
    if ((properties != schema.end() && properties->contains(member.key())) != is_named) return true;
    return holds(is_named ? bound[member.key()] : bound, member.value());
  });
}

}  // namespace inferwire::inline v0_1::engine
