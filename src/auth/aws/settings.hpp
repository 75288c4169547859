/// \file
/// The configuration of a client of AWS: arguments, environment, ~/.aws/credentials and ~/.aws/config.
#pragma once

#include "auth/settings/settings.hpp"
#include "inferwire/credential_options.hpp"

namespace inferwire::inline v0_1::auth {

/// Looks everywhere. The environment has to be set in the options. The two or three parts of a key come from
/// one place, never from several.
FoundSettings resolve_aws(const SigV4Options& options);

}  // namespace inferwire::inline v0_1::auth
