/// \file
/// Reads JSON that need not have the form that is expected of it.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// A string unchanged, a number or boolean printed; empty for null and everything else.
std::string word(const Optional<Json>& value);

/// `null`, `""`, `{}`, `[]`, `false` and `0` say nothing.
bool says_something(std::string_view value);
inline bool says_something(const Json& value) { return says_something(std::string_view(value.text())); }
inline bool says_something(const Optional<Json>& value) { return value && says_something(*value); }

/// The only element of a list (Gemini sends errors this way); `text` if it is not a list.
std::string_view element_alone(std::string_view text);

/// The object in `text`; std::nullopt if it holds anything else.
std::optional<Json> object_in(std::string_view text);

}  // namespace inferwire::inline v0_1::wire
