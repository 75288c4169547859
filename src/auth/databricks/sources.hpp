/// \file
/// Sources of Databricks tokens, other than OAuth.
#pragma once

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1::auth {

/// A local service that issues tokens for `host`.
std::unique_ptr<GrantSource> metadata_service_source(Secret url, std::string host);

/// The Databricks CLI: `program auth token --host H`, or `--profile P` if one is named.
std::unique_ptr<GrantSource> databricks_cli_source(std::string program, std::string host,
                                                   std::string profile);

/// The token in the container of a model serving endpoint.
std::unique_ptr<GrantSource> model_serving_source(std::shared_ptr<Environment> environment);
/// The workspace's host if this process is such an endpoint; otherwise empty.
std::string model_serving_host(const Environment& environment);

struct AzurePrincipal {
  std::string host{};  ///< the workspace's host, which is asked for the tenant if none is given
  std::string tenant_id{};
  std::string client_id{};
  Secret client_secret{};
  std::string environment{};            ///< "PUBLIC", "USGOVERNMENT", "CHINA"
  std::string workspace_resource_id{};  ///< requires a second token, for Azure's management
};
/// An Azure service principal. Error{config} if the environment has another name.
Result<std::unique_ptr<GrantSource>> azure_source(AzurePrincipal principal);

}  // namespace inferwire::inline v0_1::auth
