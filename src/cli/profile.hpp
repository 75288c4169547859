/// \file
/// Named sets of options that the program reads from a file, so that they need not be typed.
#pragma once

#include "cli/connection.hpp"
#include "inferwire/result.hpp"

#include <string>

namespace inferwire::inline v0_1::cli {

/// The file of the profiles: INFERWIRE_CONFIG, else inferwire/config.json below XDG_CONFIG_HOME or ~/.config.
/// Empty if none of these is known.
std::string profile_file();

/// Fills in what `connection` leaves open from the profile that it names, or, if it names neither a profile
/// nor a provider or base URL, from the profile "default", if there is one; but without the model of
/// "default" for the embedded engine. The file holds an object of objects:
///
///     {"work": {"provider": "databricks", "base_url": "https://...", "model": "databricks-claude-sonnet-4"}}
///
/// Errors: config, also if the profile is for another provider, whose host must not get the key, or if
/// INFERWIRE_CONFIG names a file that is not there.
Result<void> apply_profile(Connection& connection, const std::string& file);

}  // namespace inferwire::inline v0_1::cli
