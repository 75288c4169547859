/// \file
/// The configuration of an AWS client: arguments, environment, ~/.aws/credentials and ~/.aws/config.
#pragma once

#include "auth/settings/settings.hpp"
#include "inferwire/credential_options.hpp"

namespace inferwire::inline v0_1::auth {

/// Searches all places. The options must contain the environment. The two or three parts of a key come from
/// one place, never from several.
FoundSettings resolve_aws(const SigV4Options& options);

}  // namespace inferwire::inline v0_1::auth
