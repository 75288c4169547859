/// \file
/// Options of the credentials that have many.
#pragma once

#include <memory>
#include <string>

#include "inferwire/environment.hpp"
#include "inferwire/secret.hpp"

namespace inferwire::inline v0_1 {

/// The keys that sign requests for AWS, and the scope of the signatures. Keys that are not given come from
/// the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; else, as on EKS,
/// AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, AWS_ROLE_SESSION_NAME), then from the profile in
/// ~/.aws/credentials and ~/.aws/config (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE): its keys, else its
/// web_identity_token_file and role_arn, else the token that `aws sso login` has stored for it (sso_session
/// or sso_start_url; it is not renewed here), else the output of its credential_process. Then from the
/// container's credential service (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI), then from the
/// instance's metadata service (unless AWS_EC2_METADATA_DISABLED). All parts of a key come from one place. A
/// role that is assumed with another profile's keys (source_profile, credential_source) is not supported.
struct SigV4Options {
  std::string access_key_id{};
  Secret secret_access_key{};
  Secret session_token{};  ///< the session token that belongs to temporary keys
  /// "eu-west-1"; empty: that of the client's provider, then AWS_REGION, then AWS_DEFAULT_REGION, then the
  /// profile's.
  std::string region{};
  /// Empty: AWS_PROFILE, then "default". A profile given here takes precedence over keys in the environment.
  std::string profile{};
  std::string service{"sagemaker"};
  /// The place to look; absent: the client's (ClientOptions::environment).
  std::shared_ptr<Environment> environment{};
};

/// The options of Databricks' clients, with the names of their configuration files. What is empty comes from
/// the environment (DATABRICKS_HOST, DATABRICKS_TOKEN, ..., ARM_CLIENT_ID, ...), then from the profile in the
/// configuration file; if nothing names the host, it is that of the client's base URL. The file is skipped if
/// no profile is named and a host or any authentication setting is already present: DATABRICKS_HOST alone
/// keeps the default profile's token out. https://docs.databricks.com/en/dev-tools/auth/unified-auth.html
struct DatabricksOptions {
  /// "adb-123.azuredatabricks.net"; https where no scheme is given. Path and query are cut off, so that an
  /// address copied from a browser works; `?o=123` in it is the workspace id.
  std::string host{};
  std::string account_id{};
  std::string workspace_id{};  ///< sent as X-Databricks-Org-Id
  Secret token{};              ///< pat: a personal access token, or any other bearer token
  std::string username{};      ///< basic, with `password`; old workspaces only
  Secret password{};
  std::string profile{};      ///< empty: the file's `[__settings__] default_profile`, then DEFAULT
  std::string config_file{};  ///< empty: ~/.databrickscfg
  std::string client_id{};    ///< oauth-m2m, with `client_secret`: a service principal
  Secret client_secret{};
  std::string scopes{};         ///< the scopes of OAuth, separated by spaces or commas; empty: all-apis
  std::string discovery_url{};  ///< the URL of the OAuth server's metadata; empty: below the host
  /// env-oidc: the variable that holds an identity token; empty: DATABRICKS_OIDC_TOKEN.
  std::string oidc_token_env{};
  std::string oidc_token_filepath{};  ///< file-oidc: the file that holds one
  Secret metadata_service_url{};      ///< metadata-service: a local service that hands out tokens
  std::string databricks_cli_path{};  ///< databricks-cli: the program; empty: "databricks" in PATH
  std::string azure_workspace_resource_id{};
  std::string azure_client_id{};  ///< azure-client-secret, with `azure_client_secret`
  Secret azure_client_secret{};
  std::string azure_tenant_id{};         ///< empty: the workspace is asked
  std::string azure_environment{};       ///< "PUBLIC" (also when empty), "USGOVERNMENT", "CHINA"
  std::string azure_use_msi{};           ///< not supported: an error says so
  std::string google_service_account{};  ///< not supported: an error says so
  Secret google_credentials{};
  /// The method to use: "pat", "basic", "oauth-m2m", "env-oidc", "file-oidc", "metadata-service",
  /// "azure-client-secret", "databricks-cli" (which is never used unless named here), "model-serving". Empty:
  /// the first for which all is set.
  std::string auth_type{};
  /// The place to look; absent: the client's (ClientOptions::environment).
  std::shared_ptr<Environment> environment{};
};

}  // namespace inferwire::inline v0_1
