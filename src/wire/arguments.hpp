/// \file
/// The arguments of a function call, which are text written by a model.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Parses `text` as an object; white space gives {}. Error{tool}, with the text in its body, if it is not a
/// JSON object. `name` is the function's name.
Result<Json> parsed_arguments(std::string_view name, std::string_view text);

/// Replaces text that is not an object by {}: if the model stopped early, wrote something else or wrote
/// nothing, servers would refuse the whole conversation.
void mend_arguments(std::string& text);

}  // namespace inferwire::inline v0_1::wire
