/// \file
/// Where temporary keys of AWS come from: services that only the machine itself can reach.
#pragma once

#include <memory>
#include <string>

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

namespace inferwire::inline v0_1::auth {

struct AwsKeys {
  std::string access_key_id{};
  Secret secret_access_key{};
  Secret session_token{};
};

/// What the signatures count for.
struct AwsScope {
  std::string region{};
  std::string service{};
};

/// Signs with these keys.
std::shared_ptr<Credential> signer(AwsKeys keys, AwsScope scope);

/// The service beside a container (ECS, EKS), at the URL that its variables name; nullptr when they name
/// none. Error{config}: a URL that keys must not come from.
Result<std::unique_ptr<GrantSource>> container_source(std::shared_ptr<Environment> environment,
                                                      AwsScope scope);

/// The metadata service of an EC2 instance, version 2.
std::unique_ptr<GrantSource> instance_source(const Environment& environment, AwsScope scope);

}  // namespace inferwire::inline v0_1::auth
