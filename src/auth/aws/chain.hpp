/// \file
/// The ways to obtain AWS keys, in order: the first whose settings are complete is used.
#pragma once

#include "auth/aws/sources.hpp"
#include "auth/resolved_credential.hpp"
#include "auth/settings/settings.hpp"

#include <memory>

namespace inferwire::inline v0_1::auth {

struct AwsContext {
  const Settings& settings;
  std::shared_ptr<Environment> environment;
  AwsScope scope;
  bool optional;  ///< send requests unsigned if nothing is configured, and do not ask an instance
};

/// Sets the credential and the method of `found`, or its problem; also the ways that were rejected, with the
/// reasons.
void choose_aws_keys(Resolution& found, const AwsContext& context);

}  // namespace inferwire::inline v0_1::auth
