#include "cli/profile.hpp"

#include "inferwire/json.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

Error refusal(const std::string& file, const std::string& why) {
  return {.kind = ErrorKind::config, .detail = file + ": " + why};
}

}  // namespace

std::string profile_file() {
  if (auto named = variable("INFERWIRE_CONFIG"); !named.empty()) return named;
  auto directory = variable("XDG_CONFIG_HOME");
  if (directory.empty() && !variable("HOME").empty()) directory = variable("HOME") + "/.config";
  return directory.empty() ? directory : directory + "/inferwire/config.json";
}

Result<void> apply_profile(Connection& connection, const std::string& file) {
  const bool named = !connection.profile.empty();
  const std::string name = named ? connection.profile : "default";
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    if (!named) return {};
    return refusal(file, "cannot be read, and the profile '" + name + "' would be in it");
  }
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto document = Json::parse(text);
  if (!document || !document->is_object()) return refusal(file, "is no JSON object of profiles");

  for (const auto& profile : document->members()) {
    if (profile.name != name) continue;
    for (const auto& member : profile.value.members()) {
      const auto value = member.value.as_string();
      auto* place = member.name == "provider"   ? &connection.provider
                    : member.name == "base_url" ? &connection.base_url
                    : member.name == "model"    ? &connection.model
                                                : nullptr;
      if (place == nullptr || !value) {
        return refusal(
            file, "'" + member.name + "' in profile '" + name + "' is none of provider, base_url and model");
      }
      if (place->empty()) *place = *value;
    }
    return {};
  }
  if (named) return refusal(file, "has no profile '" + name + "'");
  return {};
}

}  // namespace inferwire::inline v0_1::cli
