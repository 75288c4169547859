#include "auth/databricks/settings.hpp"

#include "auth/databricks/host.hpp"
#include "auth/databricks/sources.hpp"
#include "auth/settings/environment.hpp"
#include "auth/settings/ini.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

using Options = DatabricksOptions;

constexpr bool secret = true;
constexpr std::array rows{
    DatabricksAttribute{{"host", "DATABRICKS_HOST"}, &Options::host},
    DatabricksAttribute{{"account_id", "DATABRICKS_ACCOUNT_ID"}, &Options::account_id},
    DatabricksAttribute{{"workspace_id", "DATABRICKS_WORKSPACE_ID"}, &Options::workspace_id},
    DatabricksAttribute{{"token", "DATABRICKS_TOKEN", "pat", secret}, &Options::token},
    DatabricksAttribute{{"username", "DATABRICKS_USERNAME", "basic"}, &Options::username},
    DatabricksAttribute{{"password", "DATABRICKS_PASSWORD", "basic", secret}, &Options::password},
    DatabricksAttribute{{"profile", "DATABRICKS_CONFIG_PROFILE"}, &Options::profile},
    DatabricksAttribute{{"config_file", "DATABRICKS_CONFIG_FILE"}, &Options::config_file},
    DatabricksAttribute{{"client_id", "DATABRICKS_CLIENT_ID", "oauth"}, &Options::client_id},
    DatabricksAttribute{{"client_secret", "DATABRICKS_CLIENT_SECRET", "oauth", secret},
                        &Options::client_secret},
    DatabricksAttribute{{"scopes", ""}, &Options::scopes},
    // May contain a user or a query, or by mistake the token itself.
    DatabricksAttribute{{"discovery_url", "DATABRICKS_DISCOVERY_URL", "", secret}, &Options::discovery_url},
    DatabricksAttribute{{"oidc_token_env", "DATABRICKS_OIDC_TOKEN_ENV", "env-oidc", secret},
                        &Options::oidc_token_env},
    DatabricksAttribute{{"oidc_token_filepath", "DATABRICKS_OIDC_TOKEN_FILEPATH", "file-oidc"},
                        &Options::oidc_token_filepath},
    DatabricksAttribute{
        {"metadata_service_url", "DATABRICKS_METADATA_SERVICE_URL", "metadata-service", secret},
        &Options::metadata_service_url},
    DatabricksAttribute{{"databricks_cli_path", "DATABRICKS_CLI_PATH"}, &Options::databricks_cli_path},
    DatabricksAttribute{{"azure_workspace_resource_id", "DATABRICKS_AZURE_RESOURCE_ID", "azure"},
                        &Options::azure_workspace_resource_id},
    DatabricksAttribute{{"azure_client_id", "ARM_CLIENT_ID", "azure"}, &Options::azure_client_id},
    DatabricksAttribute{{"azure_client_secret", "ARM_CLIENT_SECRET", "azure", secret},
                        &Options::azure_client_secret},
    DatabricksAttribute{{"azure_tenant_id", "ARM_TENANT_ID", "azure"}, &Options::azure_tenant_id},
    DatabricksAttribute{{"azure_environment", "ARM_ENVIRONMENT"}, &Options::azure_environment},
    DatabricksAttribute{{"azure_use_msi", "ARM_USE_MSI", "azure"}, &Options::azure_use_msi},
    DatabricksAttribute{{"google_service_account", "DATABRICKS_GOOGLE_SERVICE_ACCOUNT", "google"},
                        &Options::google_service_account},
    DatabricksAttribute{{"google_credentials", "GOOGLE_CREDENTIALS", "google", secret},
                        &Options::google_credentials},
    DatabricksAttribute{{"auth_type", "DATABRICKS_AUTH_TYPE"}, &Options::auth_type},
};

constexpr auto attribute_list = [] {
  std::array<Attribute, rows.size()> all{};
  std::ranges::transform(rows, all.begin(), &DatabricksAttribute::attribute);
  return all;
}();

/// The names used by older files and variables.
constexpr std::string_view other_token_file_key = "databricks_id_token_filepath";
constexpr std::string_view other_token_file_variable = "DATABRICKS_OIDC_TOKEN_FILE";

constexpr std::string_view settings_section = "__settings__";

void offer_arguments(Settings& settings, const Options& options) {
  for (const auto& [attribute, member] : rows) {
    if (const auto* text = std::get_if<std::string Options::*>(&member)) {
      settings.offer(attribute.name, options.*(*text), "argument");
    } else {
      settings.offer(attribute.name, (options.*std::get<Secret Options::*>(member)).reveal(), "argument");
    }
  }
}

/// The profile to read, and whether it was named explicitly.
std::pair<std::string, bool> choose_profile(const Settings& settings,
                                            const std::vector<IniSection>& sections) {
  if (settings.has("profile")) return {settings.text("profile"), true};
  if (const auto* own = find_section(sections, settings_section)) {
    if (const auto name = own->find("default_profile"); !name.empty()) return {std::string(name), true};
  }
  return {"DEFAULT", false};
}

Result<void> offer_file(FoundSettings& resolved, const Environment& environment) {
  auto& settings = resolved.settings;
  const auto path = settings.has("config_file") ? settings.text("config_file") : "~/.databrickscfg";
  const auto text = environment.file(expand_home(environment, path));
  // Services often may not read their home directory.
  if (!text && !settings.has("config_file") && !settings.has("profile")) {
    resolved.notes.push_back("left out: " + text.error().detail);
    return {};
  }
  if (!text) return text.error();
  const auto no_profile = [&path](const std::string& name) {
    return config(path + " has no " + name + " profile configured");
  };
  if (!*text)
    return settings.has("profile") ? Result<void>(no_profile(settings.text("profile"))) : Result<void>();
  const auto sections = parse_ini(**text);
  if (!sections) return config("cannot parse config file " + path + ": " + sections.error().detail);
  const auto [name, named] = choose_profile(settings, *sections);
  if (name == settings_section) return config(path + ": __settings__ is not a profile");
  const auto* section = find_section(*sections, name);
  if (section == nullptr || section->values.empty())
    return named ? Result<void>(no_profile(name)) : Result<void>();
  const auto source = "file " + path + " [" + name + "]";
  for (const auto& attribute : attribute_list)
    settings.offer(attribute.name, section->find(attribute.name), source);
  settings.offer("oidc_token_filepath", section->find(other_token_file_key), source);
  return {};
}

Result<void> tidy_host(FoundSettings& resolved) {
  auto& settings = resolved.settings;
  if (!settings.has("host")) return {};
  auto host = parse_databricks_host(settings.get("host"));
  if (!host) {
    settings.change("host", std::string(unreadable_host));
    return std::move(host).error();
  }
  settings.change("host", host->url);
  settings.offer("workspace_id", host->workspace_id, "host");
  settings.offer("account_id", host->account_id, "host");
  if (!host->cut.empty()) resolved.notes.push_back("the path " + host->cut + " of the host is left out");
  return {};
}

Result<void> check_for_conflict(const Settings& settings) {
  const auto families = settings.families();
  if (families.size() < 2 || settings.has("auth_type")) return {};
  std::string names;
  for (const auto family : families) names.append(names.empty() ? "" : " and ").append(family);
  return config("more than one authorization method configured: " + names + "; name one by auth_type");
}

Result<void> fill(FoundSettings& resolved, const Options& options, std::string_view client_url) {
  auto& settings = resolved.settings;
  const auto& environment = *options.environment;
  offer_arguments(settings, options);
  settings.offer_environment(environment);
  settings.offer("oidc_token_filepath", variable(environment, other_token_file_variable),
                 "env " + std::string(other_token_file_variable));
  const bool enough = settings.has("host") || !settings.families().empty();
  if (settings.has("profile") || !enough) {
    if (auto read = offer_file(resolved, environment); !read) {
      static_cast<void>(tidy_host(resolved));  // the host may contain a password
      return read;
    }
  } else {
    resolved.notes.push_back(
        "no configuration file is read: a host or a way to authenticate is set, and no profile is named");
  }
  settings.offer("host", model_serving_host(environment), "model serving environment");
  settings.offer("host", client_url, "base URL of the client");
  if (auto tidied = tidy_host(resolved); !tidied) return tidied;
  return check_for_conflict(settings);
}

}  // namespace

std::span<const DatabricksAttribute> databricks_attributes() { return rows; }

FoundSettings resolve_databricks(const DatabricksOptions& options, std::string_view client_url) {
  FoundSettings resolved{.settings = Settings(attribute_list)};
  if (auto filled = fill(resolved, options, client_url); !filled) {
    resolved.problem = std::move(filled).error();
    resolved.problem->detail += sentence_of(resolved.settings.report());
  }
  return resolved;
}

}  // namespace inferwire::inline v0_1::auth
