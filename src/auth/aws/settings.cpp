#include "auth/aws/settings.hpp"

#include "auth/settings/environment.hpp"
#include "auth/settings/ini.hpp"
#include "protocol/aws.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::array aws_attributes{
    Attribute{"aws_access_key_id", "AWS_ACCESS_KEY_ID", "keys"},
    Attribute{"aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "keys", true},
    Attribute{"aws_session_token", "AWS_SESSION_TOKEN", "keys", true},
    Attribute{"web_identity_token_file", "AWS_WEB_IDENTITY_TOKEN_FILE", "web-identity"},
    Attribute{"role_arn", "AWS_ROLE_ARN", "web-identity"},
    Attribute{"role_session_name", "AWS_ROLE_SESSION_NAME", "web-identity"},
    Attribute{"sso_account_id", "", "sso"},
    Attribute{"sso_role_name", "", "sso"},
    Attribute{"sso_session", "", "sso"},
    Attribute{"sso_start_url", "", "sso"},
    Attribute{"sso_region", "", "sso"},
    Attribute{"credential_process", "", "process", true},  // its arguments may be secret
    Attribute{"region", "AWS_REGION"},
    Attribute{"profile", "AWS_PROFILE"},
    Attribute{"shared_credentials_file", "AWS_SHARED_CREDENTIALS_FILE"},
    Attribute{"config_file", "AWS_CONFIG_FILE"},
};

/// The ways to obtain keys, in the order in which a profile is searched for them: each by the setting that it
/// requires.
constexpr std::array<std::string_view, 4> key_ways{"aws_access_key_id", "web_identity_token_file",
                                                   "sso_account_id", "credential_process"};

class Resolver {
 public:
  Resolver(FoundSettings& resolved, const Environment& environment)
      : settings_(resolved.settings), notes_(resolved.notes), environment_(environment) {}

  Result<void> resolve(const SigV4Options& options) {
    offer_arguments(options);
    // A profile named by the program takes precedence over the environment.
    if (!settings_.has("profile")) {
      for (const auto way : key_ways) offer_environment(way);
    }
    for (const auto& attribute : aws_attributes) {
      if (attribute.family.empty()) offer_variable(attribute.name, attribute.variable);
    }
    offer_variable("region", "AWS_DEFAULT_REGION");
    return has_way() && settings_.has("region") ? Result<void>() : read_files();
  }

 private:
  struct File {
    std::string path{};
    std::string profile{};
    std::vector<IniSection> sections{};

    /// The profile's section, whose name differs between the two files.
    const IniSection* section() const {
      const auto* found = find_section(sections, "profile", profile);
      return found != nullptr ? found : find_section(sections, profile);
    }
    std::string source() const { return "file " + path + " [" + section()->name + "]"; }
  };

  bool has_way() const {
    return std::ranges::any_of(key_ways, [this](std::string_view way) { return settings_.has(way); });
  }

  /// Takes all settings of a way from one place; does nothing if a way was found before.
  template <class Find, class SourceOf>
  void offer_way(std::string_view way, Find find, SourceOf source_of) {
    const auto& required = *std::ranges::find(aws_attributes, way, &Attribute::name);
    if (has_way() || std::string_view(find(required)).empty()) return;
    for (const auto& attribute : aws_attributes) {
      if (attribute.family == required.family)
        settings_.offer(attribute.name, find(attribute), source_of(attribute));
    }
  }

  void offer_arguments(const SigV4Options& options) {
    if (!options.access_key_id.empty()) {
      settings_.offer("aws_access_key_id", options.access_key_id, "argument");
      settings_.offer("aws_secret_access_key", options.secret_access_key.reveal(), "argument");
      settings_.offer("aws_session_token", options.session_token.reveal(), "argument");
    }
    settings_.offer("region", options.region, "argument");
    settings_.offer("profile", options.profile, "argument");
  }

  void offer_environment(std::string_view way) {
    offer_way(
        way, [this](const Attribute& attribute) { return variable(environment_, attribute.variable); },
        [](const Attribute& attribute) { return "env " + std::string(attribute.variable); });
  }

  void offer_variable(std::string_view name, std::string_view variable_name) {
    settings_.offer(name, variable(environment_, variable_name), "env " + std::string(variable_name));
  }

  Result<void> read_files() {
    const bool named = settings_.has("profile");
    const auto profile = named ? settings_.text("profile") : "default";
    auto credentials = read("shared_credentials_file", "~/.aws/credentials", profile);
    if (!credentials) return std::move(credentials).error();
    auto other = read("config_file", "~/.aws/config", profile);
    if (!other) return std::move(other).error();
    const File* const files[] = {&*credentials, &*other};
    if (named && !credentials->section() && !other->section() && !has_way()) {
      return config("neither " + credentials->path + " nor " + other->path + " has the profile " + profile);
    }
    if (!has_way()) {
      if (auto checked = check_for_role(files); !checked) return checked;
    }
    for (const auto way : key_ways) {
      for (const auto* file : files) offer_section(way, *file);
    }
    offer_session(*other);
    for (const auto* file : files) {
      if (const auto* section = file->section()) {
        settings_.offer("region", section->find("region"), file->source());
      }
    }
    return {};
  }

  Result<File> read(std::string_view attribute, const char* usual, const std::string& profile) {
    File file{.path = settings_.has(attribute) ? settings_.text(attribute) : usual, .profile = profile};
    const auto text = environment_.file(expand_home(environment_, file.path));
    // Services often may not read their home directory; files that nothing names are then ignored.
    const bool named = settings_.has(attribute) || settings_.has("profile");
    if (!text && named) return text.error();
    if (!text) {
      notes_.push_back("left out: " + text.error().detail);
      return file;
    }
    auto sections = parse_ini(text->value_or(""));
    if (!sections) return config("cannot parse " + file.path + ": " + sections.error().detail);
    file.sections = *std::move(sections);
    return file;
  }

  void offer_section(std::string_view way, const File& file) {
    const auto* section = file.section();
    if (section == nullptr) return;
    offer_way(
        way,
        [section](const Attribute& attribute) {
          // A command contains quotes of its own.
          return attribute.family == "process" ? section->find_as_written(attribute.name)
                                               : section->find(attribute.name);
        },
        [&file](const Attribute&) { return file.source(); });
  }

  /// Profiles share the sign-in settings of a separate section.
  void offer_session(const File& file) {
    if (!settings_.has("sso_session")) return;
    const auto* section = find_section(file.sections, "sso-session", settings_.get("sso_session"));
    if (section == nullptr) return;
    for (const auto* key : {"sso_start_url", "sso_region"}) {
      settings_.offer(key, section->find(key), "file " + file.path + " [" + section->name + "]");
    }
  }

  /// Refuses a role that would have to be requested with other keys. If the profile has keys as well, they
  /// are not those to sign with.
  static Result<void> check_for_role(std::span<const File* const> files) {
    const bool has_token = std::ranges::any_of(files, [](const File* file) {
      return file->section() != nullptr && !file->section()->find("web_identity_token_file").empty();
    });
    if (has_token) return {};
    for (const auto* file : files) {
      const auto* section = file->section();
      if (section == nullptr || section->find("role_arn").empty()) continue;
      return Error{.kind = ErrorKind::unsupported,
                   .detail = file->path + " [" + section->name +
                             "]: role_arn is not supported by inferwire without web_identity_token_file; use "
                             "Credential::callback"};
    }
    return {};
  }

  Settings& settings_;
  std::vector<std::string>& notes_;
  const Environment& environment_;
};

/// Refuses text that cannot be a region: it becomes part of a host name.
Result<void> check_regions(const Settings& settings) {
  for (const auto* name : {"region", "sso_region"}) {
    if (settings.has(name) && !protocol::is_region(settings.get(name))) {
      return config(std::string(name) + " is no region of AWS: those have letters, digits and - alone");
    }
  }
  return {};
}

}  // namespace

FoundSettings resolve_aws(const SigV4Options& options) {
  FoundSettings resolved{.settings = Settings(aws_attributes)};
  auto done = Resolver(resolved, *options.environment).resolve(options);
  if (done) done = check_regions(resolved.settings);
  if (!done) {
    resolved.problem = std::move(done).error();
    resolved.problem->detail += sentence_of(resolved.settings.report());
  }
  return resolved;
}

}  // namespace inferwire::inline v0_1::auth
