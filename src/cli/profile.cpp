#include "cli/profile.hpp"

#include "cli/terminal/output.hpp"
#include "inferwire/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

constexpr const char* config_variable = "INFERWIRE_CONFIG";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// The members of a profile, as written in the file.
struct Profile {
  std::string provider{};
  std::string base_url{};
  std::string model{};
};

Result<Profile> profile_of(const Json& members, const std::string& file, const std::string& name) {
  Profile profile;
  if (!members.is_object()) return file_error(file, "the profile '" + name + "' is no object");
  for (const auto& member : members.members()) {
    const auto value = member.value.as_string();
    auto* place = member.name == "provider"   ? &profile.provider
                  : member.name == "base_url" ? &profile.base_url
                  : member.name == "model"    ? &profile.model
                                              : nullptr;
    if (place == nullptr || !value) {
      return file_error(
          file, "'" + member.name + "' in profile '" + name + "' is none of provider, base_url and model");
    }
    *place = *value;
  }
  return profile;
}

}  // namespace

std::string profile_file() {
  if (auto named = variable(config_variable); !named.empty()) return named;
  auto directory = variable("XDG_CONFIG_HOME");
  if (directory.empty() && !variable("HOME").empty()) directory = variable("HOME") + "/.config";
  return directory.empty() ? directory : directory + "/inferwire/config.json";
}

Result<void> apply_profile(Connection& connection, const std::string& file) {
  const bool named = !connection.profile.empty();
  // The default profile is not applied to a provider or host given otherwise: a key must not go to another
  // host.
  if (!named && !(connection.provider.empty() && connection.base_url.empty())) return {};
  const std::string name = named ? connection.profile : "default";
  std::error_code unknown;
  const bool required = named || !variable(config_variable).empty();
  if (!required && !std::filesystem::exists(file, unknown)) return {};
  const auto text = contents_of(file);
  if (!text) {
    const auto* const whose = variable(config_variable).empty() ? "" : " (INFERWIRE_CONFIG)";
    return file_error(file + whose, "cannot be read, and the profile '" + name + "' would be in it");
  }
  const auto document = Json::parse(*text);
  if (!document) return file_error(file, "is not JSON: " + document.error().detail);
  if (!document->is_object()) return file_error(file, "is no JSON object of profiles");

  const auto profiles = document->members();
  const auto found = std::ranges::find(profiles, name, &Member::name);
  if (found == profiles.end() && named) return file_error(file, "has no profile '" + name + "'");
  if (found == profiles.end()) return {};
  const auto profile = profile_of(found->value, file, name);
  if (!profile) return profile.error();
  const std::string whose = profile->provider.empty() ? default_provider : profile->provider;
  if (!connection.provider.empty() && connection.provider != whose) {
    return file_error(file,
                      "the profile '" + name + "' is one of " + whose + ", not of " + connection.provider);
  }
  if (connection.provider.empty()) connection.provider = profile->provider;
  if (connection.base_url.empty()) connection.base_url = profile->base_url;
  const bool chosen = named || !connection.embedded;  // the engine does not have every service's models
  if (connection.model.empty() && chosen) connection.model = profile->model;
  return {};
}

}  // namespace inferwire::inline v0_1::cli
