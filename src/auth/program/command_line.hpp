/// \file
/// Commands as people write them into configuration files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::auth {

/// The program and its arguments, cut at white space. Quotes of both kinds hold words together; a backslash
/// takes the next character as it is, but not inside single quotes. Nothing is expanded: no shell is asked.
/// Errors: config (no program, an open quote, nothing behind a backslash); the text is not repeated.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace inferwire::inline v0_1::auth
