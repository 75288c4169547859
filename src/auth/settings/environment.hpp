/// \file
/// How variables of the environment are read.
#pragma once

#include <string>
#include <string_view>

#include "inferwire/environment.hpp"

namespace inferwire::inline v0_1::auth {

/// The variable's value without the white space around it; empty when it is blank, not set, or has no name.
std::string variable(const Environment& environment, std::string_view name);

/// Whether a variable says yes: "true" or "1", in any case.
bool says_yes(const Environment& environment, std::string_view name);

/// `path` with the user's home in place of a leading "~".
std::string expand_home(const Environment& environment, std::string_view path);

}  // namespace inferwire::inline v0_1::auth
