/// \file
/// The arguments of a function call, which a model wrote.
#pragma once

#include <string_view>

#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::wire {

/// `text` as an object; white space means {}. Error{tool}, with the text in its body, if it is not a JSON
/// object. `name` is the function's.
Result<Json> parsed_arguments(std::string_view name, std::string_view text);

}  // namespace inferwire::inline v0_1::wire
