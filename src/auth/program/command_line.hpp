/// \file
/// Commands as users write them in configuration files.
#pragma once

#include "inferwire/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

/// Splits a command into the program and its arguments, at white space. Quotes of both kinds group words; a
/// backslash escapes the next character, except inside single quotes. There is no shell, and nothing is
/// expanded. Errors: config (no program, an open quote, a trailing backslash); the text is not repeated.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace inferwire::inline v0_1::auth
