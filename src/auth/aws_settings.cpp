#include "auth/aws_settings.hpp"

#include <array>
#include <utility>

#include "auth/environment.hpp"
#include "auth/ini.hpp"

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::array attributes{
    Attribute{"aws_access_key_id", "AWS_ACCESS_KEY_ID", "keys"},
    Attribute{"aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "keys", true},
    Attribute{"aws_session_token", "AWS_SESSION_TOKEN", "keys", true},
    Attribute{"region", "AWS_REGION"},
    Attribute{"profile", "AWS_PROFILE"},
    Attribute{"shared_credentials_file", "AWS_SHARED_CREDENTIALS_FILE"},
    Attribute{"config_file", "AWS_CONFIG_FILE"},
};

/// What a profile may say instead of its keys; each needs more than a file.
constexpr std::array foreign_keys{"role_arn", "sso_session", "sso_start_url", "credential_process",
                                  "web_identity_token_file"};

Error config(std::string detail) { return {.kind = ErrorKind::config, .detail = std::move(detail)}; }

class Resolver {
 public:
  Resolver(Settings& settings, const Environment& environment)
      : settings_(settings), environment_(environment) {}

  Result<void> resolve(const SigV4Options& options) {
    offer_keys(options.access_key_id, options.secret_access_key.reveal(), options.session_token.reveal(),
               "argument");
    settings_.offer("region", options.region, "argument");
    settings_.offer("profile", options.profile, "argument");
    // A profile that the program names goes before keys that happen to be in the environment.
    if (!settings_.has("profile")) offer_environment_keys();
    for (const auto& attribute : attributes) {
      if (attribute.family.empty()) offer_variable(attribute.name, attribute.variable);
    }
    offer_variable("region", "AWS_DEFAULT_REGION");
    return has_all() ? Result<void>() : read_files();
  }

 private:
  bool has_keys() const { return settings_.has("aws_access_key_id"); }
  bool has_all() const { return has_keys() && settings_.has("region"); }

  void offer_keys(std::string_view id, std::string_view key, std::string_view token,
                  const std::string& source) {
    if (id.empty() || has_keys()) return;
    settings_.offer("aws_access_key_id", id, source);
    settings_.offer("aws_secret_access_key", key, source);
    settings_.offer("aws_session_token", token, source);
  }

  void offer_environment_keys() {
    offer_keys(variable(environment_, "AWS_ACCESS_KEY_ID"), variable(environment_, "AWS_SECRET_ACCESS_KEY"),
               variable(environment_, "AWS_SESSION_TOKEN"), "env AWS_ACCESS_KEY_ID");
  }

  void offer_variable(std::string_view name, std::string_view variable_name) {
    settings_.offer(name, variable(environment_, variable_name), "env " + std::string(variable_name));
  }

  Result<void> read_files() {
    const bool named = settings_.has("profile");
    const auto profile = named ? settings_.text("profile") : "default";
    const auto in_config = profile == "default" ? profile : "profile " + profile;
    auto keys = read("shared_credentials_file", "~/.aws/credentials", profile);
    if (!keys) return std::move(keys).error();
    auto other = read("config_file", "~/.aws/config", in_config);
    if (!other) return std::move(other).error();
    if (named && !keys->found && !other->found && !has_keys()) {
      return config("neither " + keys->path + " nor " + other->path + " has the profile " + profile);
    }
    if (has_keys()) return {};
    for (const auto* file : {&*keys, &*other}) {
      if (file->foreign.empty()) continue;
      return Error{.kind = ErrorKind::unsupported,
                   .detail = file->path + " [" + profile + "]: " + file->foreign +
                             " is not supported by inferwire; use Credential::callback"};
    }
    return {};
  }

  struct File {
    std::string path{};
    bool found{};           ///< it has the profile
    std::string foreign{};  ///< a key of it that is not understood here
  };

  Result<File> read(std::string_view attribute, const char* usual, const std::string& section_name) {
    File file{.path = settings_.has(attribute) ? settings_.text(attribute) : usual};
    const auto text = environment_.file(expand_home(environment_, file.path));
    if (!text) return text.error();
    const auto sections = parse_ini(text->value_or(""));
    if (!sections) return config("cannot parse " + file.path + ": " + sections.error().detail);
    const auto* section = find_section(*sections, section_name);
    if (section == nullptr) return file;
    file.found = true;
    const auto source = "file " + file.path + " [" + section_name + "]";
    offer_keys(section->find("aws_access_key_id"), section->find("aws_secret_access_key"),
               section->find("aws_session_token"), source);
    settings_.offer("region", section->find("region"), source);
    for (const auto* key : foreign_keys) {
      if (file.foreign.empty() && !section->find(key).empty()) file.foreign = key;
    }
    return file;
  }

  Settings& settings_;
  const Environment& environment_;
};

}  // namespace

AwsSettings resolve_aws(const SigV4Options& options) {
  AwsSettings resolved{.settings = Settings(attributes)};
  auto done = Resolver(resolved.settings, *options.environment).resolve(options);
  if (!done) {
    resolved.problem = std::move(done).error();
    resolved.problem->detail += sentence_of(resolved.settings.report());
  }
  return resolved;
}

}  // namespace inferwire::inline v0_1::auth
