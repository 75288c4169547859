#include "cli/connection.hpp"

#include "base/host.hpp"
#include "cli/checks.hpp"
#include "cli/profile.hpp"
#include "cli/terminal/output.hpp"
#include "inferwire/auth_report.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/engine_transport.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::cli {
namespace {

/// What the program knows about a provider.
struct Known {
  const char* name;          ///< the name that Provider::named takes
  const char* embedded_url;  ///< the base URL at which the embedded engine answers as this provider
  const char* chat;          ///< the models used there if none is named
  const char* completions;
  const char* embeddings;
  const char* responses;
};

constexpr const char* llama = "databricks-meta-llama-3-3-70b-instruct";
constexpr const char* mpt = "databricks-mpt-7b-instruct";
constexpr const char* bge = "databricks-bge-large-en";
constexpr const char* gpt = "databricks-gpt-5";
constexpr const char* jamba = "jamba-1.5-mini";
constexpr const char* toy = "inferwire-toy";
constexpr const char* toy_embed = "inferwire-embed";

constexpr std::array known_providers{
    Known{"databricks", "http://localhost", llama, mpt, bge, gpt},
    Known{"databricks-openai", "http://localhost", llama, mpt, bge, gpt},
    Known{"databricks-open-responses", "http://localhost", llama, mpt, bge, llama},
    Known{"databricks-gateway", "http://localhost", llama, mpt, bge, llama},
    Known{"openai", "http://localhost/v1", toy, toy, toy_embed, toy},
    Known{"ai21", "http://localhost/studio/v1", jamba, jamba, jamba, jamba},
    Known{"lmi", "http://localhost/lmi", toy, toy, toy_embed, toy},
    Known{"lmi-invocations", "http://localhost/lmi", toy, toy, toy_embed, toy},
    Known{"sagemaker", "http://localhost", toy, toy, toy_embed, toy},
};

const Known& find_provider(std::string_view name) {
  for (const auto& known : known_providers) {
    if (name == known.name) return known;
  }
  return known_providers.front();  // unreachable: the parser accepts no other names
}

std::string_view environment(const std::string& variable) {
  const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Says that the embedded engine answers, if there is a key, which would be for a service.
void tell_unused_key() {
  for (const auto& known : known_providers) {
    const std::string variable = Provider::named(known.name).value().auth.key_variable;
    if (environment(variable).empty()) continue;
    complain(variable + " is set, but no service is selected: the embedded engine answers; see --provider");
    return;
  }
}

/// Whether a service at `url` runs on this machine.
bool is_local(std::string_view url) {
  constexpr std::string_view after_scheme = "://";
  const auto scheme = url.find(after_scheme);
  if (scheme == url.npos) return false;
  url.remove_prefix(scheme + after_scheme.size());
  return is_loopback(host_in(url.substr(0, url.find_first_of("/?"))));
}

}  // namespace

void Connection::declare(CLI::App& command) {
  std::vector<std::string> names;
  for (const auto& known : known_providers) names.emplace_back(known.name);
  // In lines short enough that CLI11 2.5 and later do not wrap them.
  command.footer(
      "A text that begins with a hyphen goes after --: chat -- \"-v is what?\"\n"
      "Keys come from the environment (DATABRICKS_TOKEN, OPENAI_API_KEY,\n"
      "AI21_API_KEY, AWS_ACCESS_KEY_ID, ...) and from ~/.databrickscfg and ~/.aws:\n"
      "see inferwire auth describe. Profiles are in the file that INFERWIRE_CONFIG\n"
      "names, by default ~/.config/inferwire/config.json. If none of --provider,\n"
      "--base-url, OPENAI_BASE_URL and the profile selects a service, the embedded\n"
      "engine answers, offline.\n"
      "Exit status: 0 answered, 2 wrong usage or configuration, 3 the service\n"
      "refused, reported an error, or filtered or cancelled the answer, 4 no answer,\n"
      "5 the answer was cut off.");
  command.add_option("--provider", provider, "The provider whose API is used")->check(CLI::IsMember(names));
  command
      .add_option(
          "--profile", profile,
          "Take provider, base URL and model from this profile; by default from the one called 'default'")
      ->check(&not_empty);
  auto* const url = command
                        .add_option("--base-url", base_url,
                                    "The base URL of the service, for example http://127.0.0.1:8080/v1")
                        ->check(&not_empty);
  command.add_flag("--embedded", embedded, "Let the embedded engine answer as the provider, offline")
      ->excludes(url);
  command.add_flag("--no-key", no_key, "Send no key and look for none; for services that need none");
  command.add_flag("--allow-plain-http-key", allow_plain_http_key,
                   "Allow the key to be sent to another machine over plain http");
  command.parse_complete_callback([this, names] {
    const auto file = profile_file();
    const auto refuse = [&](const std::string& why) {
      return profile.empty() ? CLI::ValidationError(why) : CLI::ValidationError("--profile", why);
    };
    if (const auto applied = apply_profile(*this, file); !applied) throw refuse(applied.error().detail);
    if (provider.empty()) {
      nobody_named = !embedded && base_url.empty() && environment("OPENAI_BASE_URL").empty();
      embedded |= nobody_named;
      provider = default_provider;
    }
    if (std::find(names.begin(), names.end(), provider) == names.end()) {
      throw refuse(file + ": there is no provider '" + provider + "'");
    }
  });
}

void Connection::declare_model(CLI::App& command) {
  command.add_option("--model,--endpoint", model, "The model; on Databricks the serving endpoint")
      ->check(&not_empty);
}

std::optional<std::string> Connection::model_for(Resource resource) const {
  if (!model.empty()) return model;
  const auto& known = find_provider(provider);
  if (!embedded) {
    complain("--model is required: only the embedded engine has one to choose");
    return std::nullopt;
  }
  switch (resource) {
    case Resource::chat: return known.chat;
    case Resource::completions: return known.completions;
    case Resource::embeddings: return known.embeddings;
    case Resource::responses: break;
  }
  return known.responses;
}

Provider Connection::row() const { return Provider::named(provider).value(); }

Client Connection::client() const {
  if (!embedded) return service();
  if (nobody_named) tell_unused_key();
  ignore_broken_pipes();
  return Client({.provider = row(),
                 .base_url = find_provider(provider).embedded_url,
                 .credential = Credential::bearer("any"),  // AI21's mount requires one
                 .user_agent = "inferwire-cli",
                 .transport = std::make_shared<engine::EngineTransport>(std::make_shared<engine::Engine>())});
}

Client Connection::service() const {
  ignore_broken_pipes();
  ClientOptions options{
      .provider = row(), .user_agent = "inferwire-cli", .allow_plain_http_key = allow_plain_http_key};
  auto& auth = options.provider.auth;
  if (!base_url.empty()) options.base_url = base_url;
  if (no_key) {
    options.credential = Credential::none();
    auth.headers_variable.clear();  // any of its headers may be a key
  }
  // A server on this machine often requires no key; if it requires one, it says so.
  const std::string url(options.base_url ? std::string_view(*options.base_url)
                                         : environment(auth.base_url_variable));
  if (!no_key && auth.scheme && is_local(url)) {
    options.credential = auth.scheme(
        auth, {.base_url = url, .environment = inferwire::Environment::system(), .optional = true});
    if (!options.credential || options.credential->describe().problem) {
      options.credential = Credential::none();  // an incomplete credential was not meant for it
    }
  }
  return Client(std::move(options));
}

}  // namespace inferwire::inline v0_1::cli
