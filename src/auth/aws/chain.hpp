/// \file
/// The ways to keys of AWS, in their order: the first for which all is there is taken.
#pragma once

#include <memory>

#include "auth/aws/sources.hpp"
#include "auth/resolved_credential.hpp"
#include "auth/settings/settings.hpp"

namespace inferwire::inline v0_1::auth {

struct AwsContext {
  const Settings& settings;
  std::shared_ptr<Environment> environment;
  AwsScope scope;
  bool optional;  ///< nothing is sent where nothing is configured, and no instance is asked
};

/// Sets the credential and the method of `found`, or its problem; and what was not taken, with the reasons.
void choose_aws_keys(Resolution& found, const AwsContext& context);

}  // namespace inferwire::inline v0_1::auth
