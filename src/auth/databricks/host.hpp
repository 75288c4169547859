/// \file
/// The hosts of Databricks, as users write them.
#pragma once

#include "inferwire/result.hpp"

#include <string>
#include <string_view>

namespace inferwire::inline v0_1::auth {

struct DatabricksHost {
  std::string url{};           ///< scheme and host, and the port if it is not the scheme's default
  std::string workspace_id{};  ///< from the query: ?o=, ?workspace_id= (digits), ?w=
  std::string account_id{};    ///< from the query: ?a=, ?account_id=
  std::string cut{};           ///< the path that was cut off; empty: there was none
};

/// Parses a host or any URL of a workspace. Errors: config.
Result<DatabricksHost> parse_databricks_host(std::string_view text);

}  // namespace inferwire::inline v0_1::auth
