/// \file
/// Where Databricks' tokens come from, besides OAuth.
#pragma once

#include <memory>
#include <string>

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

namespace inferwire::inline v0_1::auth {

/// A local service that hands out tokens for `host`.
std::unique_ptr<GrantSource> metadata_service_source(Secret url, std::string host);

/// The program of Databricks: `program auth token --host H`, or `--profile P` where one is named.
std::unique_ptr<GrantSource> databricks_cli_source(std::string program, std::string host,
                                                   std::string profile);

/// The token that a model serving endpoint finds in its container.
std::unique_ptr<GrantSource> model_serving_source(std::shared_ptr<Environment> environment);
/// The workspace's host, where this process is such an endpoint; empty elsewhere.
std::string model_serving_host(const Environment& environment);

struct AzurePrincipal {
  std::string host{};  ///< the host of the workspace, which is asked for the tenant when none is given
  std::string tenant_id{};
  std::string client_id{};
  Secret client_secret{};
  std::string environment{};            ///< "PUBLIC", "USGOVERNMENT", "CHINA"
  std::string workspace_resource_id{};  ///< needs a second token, of Azure's management
};
/// A service principal of Azure. Error{config}: an environment of another name.
Result<std::unique_ptr<GrantSource>> azure_source(AzurePrincipal principal);

}  // namespace inferwire::inline v0_1::auth
