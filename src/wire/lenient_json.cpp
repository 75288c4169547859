#include "wire/lenient_json.hpp"

#include "json/scanner.hpp"
#include "json/text.hpp"

#include <utility>

namespace inferwire::inline v0_1::wire {

std::string word(const Optional<Json>& value) {
  if (!value) return {};
  if (value->is_number() || value->is_bool()) return value->text();
  return value->as_string().value_or(std::string());
}

bool says_something(std::string_view value) {
  const std::string_view text = json::trim(value);
  return text != "null" && !json::is_empty_value(text) && text != "false" && text != "0";
}

std::string_view element_alone(std::string_view text) {
  text = json::trim(text);
  if (!text.starts_with('[') || !text.ends_with(']')) return text;
  return json::trim(text.substr(1, text.size() - 2));
}

std::optional<Json> object_in(std::string_view text) {
  text = json::trim(text);
  if (!text.starts_with('{') && !text.starts_with(json::byte_order_mark)) return std::nullopt;
  auto parsed = Json::parse(text);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace inferwire::inline v0_1::wire
