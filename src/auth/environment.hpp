/// \file
/// The variables of the environment that stand for options.
#pragma once

#include <string>

namespace inferwire::inline v0_1::auth {

/// The variable's value, trimmed; empty when it is blank, not set, or has no name.
std::string environment(const std::string& variable);

/// The region of AWS: AWS_REGION, else AWS_DEFAULT_REGION.
std::string environment_region();

}  // namespace inferwire::inline v0_1::auth
