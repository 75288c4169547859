/// \file
/// The arguments of a function call, which a model wrote.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/json.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::wire {

/// `text` as an object; white space means {}. Error{tool}, with the text in its body, if it is not a JSON
/// object. `name` is the function's.
Result<Json> parsed_arguments(std::string_view name, std::string_view text);

/// Makes text that is anything but an object {}: where the model broke off, or wrote what it liked, servers
/// would refuse the whole conversation.
void mend_arguments(std::string& text);

}  // namespace inferwire::inline v0_1::wire
