/// \file
/// The configuration of a client of Databricks: arguments, environment, ~/.databrickscfg.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "auth/settings/settings.hpp"
#include "inferwire/credential_options.hpp"

namespace inferwire::inline v0_1::auth {

/// An option as DatabricksOptions and as the configuration file have it.
struct DatabricksAttribute {
  Attribute attribute{};
  std::variant<std::string DatabricksOptions::*, Secret DatabricksOptions::*> member{};
};
std::span<const DatabricksAttribute> databricks_attributes();

/// Stands for a host that cannot be read: it may hold a password.
inline constexpr std::string_view unreadable_host = "?";

/// Looks everywhere. The environment has to be set in the options. `client_url` is where the client finds the
/// service, which may be a gateway: it tells the workspace where nothing else does.
FoundSettings resolve_databricks(const DatabricksOptions& options, std::string_view client_url);

}  // namespace inferwire::inline v0_1::auth
