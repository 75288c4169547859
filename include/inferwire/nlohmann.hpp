/// \file
/// Converts inferwire::Json from and to nlohmann::json and nlohmann::ordered_json (3.11 and later). This is
/// the only header of the library that includes nlohmann/json, which does not appear in any exported
/// signature.
///
///     chat::FunctionDefinition weather{.name = "weather",
///                                      .parameters = nlohmann::json{{"type", "object"}}};
///     nlohmann::json arguments = Json::raw(call.function->arguments);
///     if (arguments.is_discarded()) ...   // the model wrote something that is not JSON, or 1e400
///
/// A number that a double cannot hold exactly keeps its text in Json but is rounded in nlohmann::json. A
/// document with a number beyond the range of a double cannot be converted: its value is discarded.
#pragma once

#include "inferwire/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace inferwire::inline v0_1 {

/// The text of `value` on one line. Bytes that are not UTF-8 become U+FFFD; numbers that are not finite
/// become null.
template <class BasicJson>
  requires nlohmann::detail::is_basic_json<BasicJson>::value
Json to_inferwire(const BasicJson& value) {
  const auto text = value.dump(-1, ' ', false, BasicJson::error_handler_t::replace);
  return Json::raw(std::string(text.data(), text.size()));
}

/// Called by nlohmann::json for `Json json = value`. Never fails.
template <class BasicJson>
  requires nlohmann::detail::is_basic_json<BasicJson>::value
void from_json(const BasicJson& value, Json& json) {
  json = to_inferwire(value);
}

/// Called by nlohmann::json for `nlohmann::json value = json`. Text that is not JSON, or has a number beyond
/// the range of a double, gives a value for which `is_discarded()` is true, as with nlohmann's own parser
/// without exceptions.
template <class BasicJson>
  requires nlohmann::detail::is_basic_json<BasicJson>::value
void to_json(BasicJson& value, const Json& json) {
  const std::string_view text = json.text();
  value = BasicJson::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace inferwire::inline v0_1
