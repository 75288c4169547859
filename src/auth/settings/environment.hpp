/// \file
/// Reading environment variables, and files of secrets.
#pragma once

#include "inferwire/environment.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::auth {

/// The variable's value without surrounding white space; empty if it is blank, not set, or `name` is empty.
std::string variable(const Environment& environment, std::string_view name);

/// Whether a variable is "true" or "1", in any case.
bool says_yes(const Environment& environment, std::string_view name);

/// Replaces a leading "~" of `path` by the user's home directory: HOME, else USERPROFILE, else, in
/// `Environment::system()`, the directory in the system's list of users.
std::string expand_home(const Environment& environment, std::string_view path);

/// The secret in a file, without surrounding white space; empty if the file is blank or does not exist. A
/// leading "~" of `path` is the user's home directory.
Result<Secret> read_secret(const Environment& environment, std::string_view path);

}  // namespace inferwire::inline v0_1::auth
