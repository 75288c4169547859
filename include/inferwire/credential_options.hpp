/// \file
/// Options of the credentials for AWS and Databricks.
#pragma once

#include "inferwire/environment.hpp"
#include "inferwire/secret.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1 {

/// The keys that sign requests for AWS, and the scope of the signatures. If no keys are given, the first of
/// these that has any is used; all parts of a key come from the same place:
///  - the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; else, as on EKS,
///    AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, AWS_ROLE_SESSION_NAME;
///  - the profile in ~/.aws/credentials and ~/.aws/config (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE): its
///    keys, else its web_identity_token_file and role_arn, else the token that `aws sso login` has stored for
///    it (sso_session or sso_start_url; it is not renewed here), else the output of its credential_process;
///  - the container's credential service: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI;
///  - the instance's metadata service, unless AWS_EC2_METADATA_DISABLED.
///
/// A role that is assumed with another profile's keys (source_profile, credential_source) is not supported: a
/// profile with such a role is Error{unsupported}, even if it has keys of its own. A credential_process is
/// killed when the time of its call is up or the call is cancelled; processes that it has started itself
/// continue.
struct SigV4Options {
  std::string access_key_id{};
  Secret secret_access_key{};
  Secret session_token{};  ///< the session token that belongs to temporary keys
  /// "eu-west-1"; empty: the region of the client's provider, else AWS_REGION, else AWS_DEFAULT_REGION, else
  /// the profile's.
  std::string region{};
  /// The name of the profile; empty: AWS_PROFILE, else "default". A profile named here takes precedence over
  /// keys in the environment.
  std::string profile{};
  std::string service{"sagemaker"};
  /// The place where variables and files are looked up; absent: ClientOptions::environment.
  std::shared_ptr<Environment> environment{};
};

/// The options of Databricks' own clients, named as in their configuration files. Empty members are looked up
/// in the environment (DATABRICKS_HOST, DATABRICKS_TOKEN, ..., ARM_CLIENT_ID, ...), then in the profile in
/// the configuration file; if nothing names the host, it is that of the client's base URL. The file is not
/// read if no profile is named and a host or any authentication setting is already present: with
/// DATABRICKS_HOST alone, the default profile's token is not used.
/// https://docs.databricks.com/en/dev-tools/auth/unified-auth.html
struct DatabricksOptions {
  /// "adb-123.azuredatabricks.net"; https if no scheme is given. Path and query are dropped, so that an
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
  /// The environment variable that holds an identity token, for "env-oidc"; empty: DATABRICKS_OIDC_TOKEN.
  std::string oidc_token_env{};
  std::string oidc_token_filepath{};  ///< file-oidc: the file that holds an identity token
  Secret metadata_service_url{};      ///< metadata-service: a local service that issues tokens
  std::string databricks_cli_path{};  ///< databricks-cli: the program; empty: "databricks" in PATH
  std::string azure_workspace_resource_id{};
  std::string azure_client_id{};  ///< azure-client-secret, with `azure_client_secret`
  Secret azure_client_secret{};
  std::string azure_tenant_id{};         ///< empty: the workspace is asked
  std::string azure_environment{};       ///< "PUBLIC", "USGOVERNMENT", "CHINA"; empty: by the host's domain
  std::string azure_use_msi{};           ///< not supported: an error says so
  std::string google_service_account{};  ///< not supported: an error says so
  Secret google_credentials{};
  /// The method to use: "pat", "basic", "oauth-m2m", "env-oidc", "file-oidc", "metadata-service",
  /// "azure-client-secret", "databricks-cli" (which is only used if named here), "model-serving". Empty: the
  /// first method for which everything is set.
  std::string auth_type{};
  /// The place where variables and files are looked up; absent: ClientOptions::environment.
  std::shared_ptr<Environment> environment{};
};

}  // namespace inferwire::inline v0_1
