/// \file
/// Sources of temporary AWS keys.
#pragma once

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::auth {

struct AwsKeys {
  std::string access_key_id{};
  Secret secret_access_key{};
  Secret session_token{};
};

/// The scope of the signatures.
struct AwsScope {
  std::string region{};
  std::string service{};
};

/// Signs with these keys.
std::shared_ptr<Credential> signer(AwsKeys keys, AwsScope scope);
/// Makes a grant of keys that are valid until `expiration` (RFC 3339; empty: forever). Error{auth} if the
/// answer of `service` contains no keys.
Result<Grant> grant_of(std::string_view service, AwsKeys keys, std::string_view expiration,
                       const AwsScope& scope);

/// An identity token, for which AWS issues the keys of a role.
struct WebIdentity {
  std::string token_file{};
  std::string role_arn{};
  std::string session_name{};  ///< empty: a generated name
};
std::unique_ptr<GrantSource> web_identity_source(WebIdentity identity,
                                                 std::shared_ptr<Environment> environment, AwsScope scope);

/// A role of a user who has signed in through a portal.
struct SingleSignOn {
  std::string session{};    ///< its name; empty: `start_url` identifies it
  std::string start_url{};  ///< the portal's URL
  std::string region{};     ///< the portal's region
  std::string account_id{};
  std::string role_name{};
};
std::unique_ptr<GrantSource> single_sign_on_source(SingleSignOn sign_on,
                                                   std::shared_ptr<Environment> environment, AwsScope scope);

/// A program that writes keys to its output. Error{config} if the command cannot be parsed.
Result<std::unique_ptr<GrantSource>> process_source(std::string_view command, AwsScope scope);

/// The service next to a container (ECS, EKS), at the URL in the environment; nullptr if none is set.
/// Error{config}: a URL from which keys must not be fetched.
Result<std::unique_ptr<GrantSource>> container_source(std::shared_ptr<Environment> environment,
                                                      AwsScope scope);

/// The metadata service of an EC2 instance, version 2.
std::unique_ptr<GrantSource> instance_source(const Environment& environment, AwsScope scope);

}  // namespace inferwire::inline v0_1::auth
