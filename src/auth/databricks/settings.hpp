/// \file
/// The configuration of a Databricks client: arguments, environment, ~/.databrickscfg.
#pragma once

#include "auth/settings/settings.hpp"
#include "inferwire/credential_options.hpp"

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace inferwire::inline v0_1::auth {

/// An option in the form of DatabricksOptions and of the configuration file.
struct DatabricksAttribute {
  Attribute attribute{};
  std::variant<std::string DatabricksOptions::*, Secret DatabricksOptions::*> member{};
};
std::span<const DatabricksAttribute> databricks_attributes();

/// Replaces a host that cannot be parsed, which may contain a password.
inline constexpr std::string_view unreadable_host = "?";

/// Searches all places. The options must contain the environment. `client_url` is the client's base URL,
/// which may be a gateway's: it is used as the workspace's host if nothing else names one.
FoundSettings resolve_databricks(const DatabricksOptions& options, std::string_view client_url);

}  // namespace inferwire::inline v0_1::auth
