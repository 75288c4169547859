/// \file
/// Where temporary keys of AWS come from.
#pragma once

#include <memory>
#include <string>
#include <string_view>

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
/// Makes a grant of keys that hold until `expiration` (RFC 3339; empty: for ever). Error{auth}: what
/// `service` gave are no keys.
Result<Grant> grant_of(std::string_view service, AwsKeys keys, std::string_view expiration,
                       const AwsScope& scope);

/// A token that says who this is, for which AWS gives the keys of a role.
struct WebIdentity {
  std::string token_file{};
  std::string role_arn{};
  std::string session_name{};  ///< empty: one is made up
};
std::unique_ptr<GrantSource> web_identity_source(WebIdentity identity,
                                                 std::shared_ptr<Environment> environment, AwsScope scope);

/// A role of somebody who has signed in by a portal.
struct SingleSignOn {
  std::string session{};    ///< its name; empty: the portal's address tells
  std::string start_url{};  ///< the portal's
  std::string region{};     ///< the portal's
  std::string account_id{};
  std::string role_name{};
};
std::unique_ptr<GrantSource> single_sign_on_source(SingleSignOn sign_on,
                                                   std::shared_ptr<Environment> environment, AwsScope scope);

/// A program that writes keys to its output. Error{config}: a command that cannot be read.
Result<std::unique_ptr<GrantSource>> process_source(std::string_view command, AwsScope scope);

/// The service beside a container (ECS, EKS), at the URL that its variables name; nullptr when they name
/// none. Error{config}: a URL that keys must not come from.
Result<std::unique_ptr<GrantSource>> container_source(std::shared_ptr<Environment> environment,
                                                      AwsScope scope);

/// The metadata service of an EC2 instance, version 2.
std::unique_ptr<GrantSource> instance_source(const Environment& environment, AwsScope scope);

}  // namespace inferwire::inline v0_1::auth
