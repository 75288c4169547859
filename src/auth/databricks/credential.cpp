// Credential::databricks: the ways to authenticate with Databricks, tried in the order of its own clients.
#include "inferwire/credential.hpp"

#include "auth/databricks/settings.hpp"
#include "auth/databricks/sources.hpp"
#include "auth/fetch/oauth_source.hpp"
#include "auth/method.hpp"
#include "auth/resolved_credential.hpp"
#include "auth/settings/environment.hpp"
#include "base/percent.hpp"
#include "inferwire/provider.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace inferwire::inline v0_1 {

namespace auth {
namespace {

struct Context {
  const Settings& settings;
  std::shared_ptr<Environment> environment;

  std::string text(std::string_view name) const { return settings.text(name); }
};

/// The scopes requested from OAuth, separated by spaces.
std::string scopes(const Context& context) {
  std::string joined;
  const auto text = context.text("scopes");
  for (std::string_view rest = text; !rest.empty();) {
    const auto scope = rest.substr(0, rest.find_first_of(", \t"));
    rest.remove_prefix(std::min(scope.size() + 1, rest.size()));
    if (!scope.empty()) joined.append(joined.empty() ? "" : " ").append(scope);
  }
  return joined.empty() ? "all-apis" : joined;
}

OAuthServer oauth_server(const Context& context) {
  const auto host = context.text("host");
  const bool is_account = host.starts_with("https://accounts.") || host.starts_with("https://accounts-");
  auto base = host + "/oidc";
  if (is_account) base += "/accounts/" + percent_encode_segment(context.settings.get("account_id"));
  // The configured URL may be another server, for which the host's own endpoint is no substitute.
  if (context.settings.has("discovery_url")) return {.metadata_url = context.text("discovery_url")};
  return {.metadata_url = base + "/.well-known/oauth-authorization-server", .token_url = base + "/v1/token"};
}

Attempt pat(const Context& context) { return Credential::bearer(context.settings.secret("token")); }

Attempt basic(const Context& context) {
  return Credential::basic(context.text("username"), context.settings.secret("password"));
}

Attempt oauth_m2m(const Context& context) {
  return refreshing(oauth_source(
      oauth_server(context),
      ClientSecret{context.text("client_id"), context.settings.secret("client_secret"), scopes(context)}));
}

Attempt oidc(const Context& context, std::string variable, std::string file) {
  return refreshing(oauth_source(oauth_server(context),
                                 SubjectToken{std::move(variable), std::move(file), context.environment,
                                              context.text("client_id"), scopes(context)}));
}

Attempt env_oidc(const Context& context) {
  auto name = context.text("oidc_token_env");
  const bool named = !name.empty();
  if (!named) name = "DATABRICKS_OIDC_TOKEN";
  if (variable(*context.environment, name).empty()) {
    return "no token in " + (named ? "the variable that oidc_token_env names" : name);
  }
  return oidc(context, std::move(name), {});
}

Attempt file_oidc(const Context& context) { return oidc(context, {}, context.text("oidc_token_filepath")); }

Attempt metadata_service(const Context& context) {
  return refreshing(
      metadata_service_source(context.settings.secret("metadata_service_url"), context.text("host")));
}

Attempt azure_client_secret(const Context& context) {
  auto source = azure_source({.host = context.text("host"),
                              .tenant_id = context.text("azure_tenant_id"),
                              .client_id = context.text("azure_client_id"),
                              .client_secret = context.settings.secret("azure_client_secret"),
                              .environment = context.text("azure_environment"),
                              .workspace_resource_id = context.text("azure_workspace_resource_id")});
  if (!source) return source.error().detail;
  return refreshing(*std::move(source));
}

/// Requires auth_type to name it: starting a program unasked would be a surprise.
Attempt databricks_cli(const Context& context) {
  if (context.text("auth_type") != "databricks-cli") return "auth_type does not name it";
  // The program only knows the file that its environment names, in which the profile may be different.
  auto usual = variable(*context.environment, "DATABRICKS_CONFIG_FILE");
  if (usual.empty()) usual = "~/.databrickscfg";
  const auto place_of = [&context](std::string_view path) { return expand_home(*context.environment, path); };
  const bool named_here =
      context.settings.has("config_file") && place_of(context.text("config_file")) != place_of(usual);
  return refreshing(databricks_cli_source(context.text("databricks_cli_path"), context.text("host"),
                                          named_here ? std::string() : context.text("profile")));
}

Attempt model_serving(const Context& context) {
  if (model_serving_host(*context.environment).empty()) return "not in a model serving environment";
  return refreshing(model_serving_source(context.environment));
}

Attempt unsupported(const Context&) { return "not supported by inferwire; use Credential::callback"; }

constexpr Method<Context> databricks_methods[] = {
    {"pat", {"host", "token"}, &pat},
    {"basic", {"host", "username", "password"}, &basic},
    {"oauth-m2m", {"host", "client_id", "client_secret"}, &oauth_m2m},
    {"env-oidc", {"host"}, &env_oidc},
    {"file-oidc", {"host", "oidc_token_filepath"}, &file_oidc},
    {"metadata-service", {"host", "metadata_service_url"}, &metadata_service},
    {"azure-client-secret", {"host", "azure_client_id", "azure_client_secret"}, &azure_client_secret},
    {"databricks-cli", {"host"}, &databricks_cli},
    {"model-serving", {"host"}, &model_serving},
    {"azure-msi", {"azure_use_msi"}, &unsupported},
    {"google-credentials", {"google_credentials"}, &unsupported},
    {"google-id", {"google_service_account"}, &unsupported},
};

/// Further ways that Databricks' own clients support.
constexpr std::array foreign_methods{"azure-cli",    "azure-devops-oidc", "external-browser",
                                     "github-oidc",  "github-oidc-azure", "runtime",
                                     "runtime-oauth"};

class DatabricksCredential final : public ResolvedCredential {
 public:
  DatabricksCredential(DatabricksOptions options, bool optional)
      : options_(std::move(options)), optional_(optional) {}

 private:
  void complete(const AuthRow&, const AuthInputs& known) override {
    if (!options_.environment) options_.environment = known.environment;
    client_url_ = known.base_url;
  }

  Resolution resolve() const override {
    auto [settings, notes, problem] = resolve_databricks(options_, client_url_);
    if (optional_) settings.offer("host", url_in_process, "in process");
    Resolution found{.report = {.settings = settings.report(), .notes = std::move(notes)}};
    if (settings.get("host") != unreadable_host) found.base_url = settings.text("host");
    found.report.problem = std::move(problem);
    if (!found.report.problem) choose(found, {settings, options_.environment});
    // Several workspaces may share the host.
    if (settings.has("workspace_id"))
      found.headers.push_back({"X-Databricks-Org-Id", settings.text("workspace_id")});
    return found;
  }

  /// Uses the first way whose settings are complete, or the one that is named.
  void choose(Resolution& found, const Context& context) const {
    auto& report = found.report;
    const auto wanted = context.text("auth_type");
    for (const auto& method : databricks_methods) {
      if (!wanted.empty() && wanted != method.name) continue;
      // Unsupported ways are reported only if their setting is present.
      if (method.make == &unsupported && !context.settings.has(method.needs.front())) continue;
      if (try_method(method, context, found)) return;
    }
    if (optional_ && context.settings.families().empty() && wanted.empty()) {
      report.method = "none";
      found.credential = Credential::none();
    } else {
      report.problem = no_way(wanted, !found.base_url.empty(), report);
    }
  }

  static Error no_way(const std::string& wanted, bool has_host, const AuthReport& report) {
    Error error{.kind = ErrorKind::auth};
    if (!report.rejected.empty()) {
      error.detail = "cannot configure default credentials; tried: " + list_of(report.rejected);
      if (!has_host) {
        error.kind = ErrorKind::config;
        error.detail +=
            "; the host of the workspace is not known: set ClientOptions::base_url or DATABRICKS_HOST";
      }
    } else {
      const bool is_foreign = std::ranges::find(foreign_methods, wanted) != foreign_methods.end();
      error.kind = is_foreign ? ErrorKind::unsupported : ErrorKind::config;
      error.detail = "auth_type=" + wanted + " is not " +
                     (is_foreign ? "supported by inferwire; use Credential::callback"
                                 : "a way to authenticate at Databricks");
    }
    error.detail += sentence_of(report.settings);
    return error;
  }

  DatabricksOptions options_;
  std::string client_url_{};
  const bool optional_;
};

}  // namespace

}  // namespace auth

std::shared_ptr<Credential> Credential::databricks(DatabricksOptions options) {
  return std::make_shared<auth::DatabricksCredential>(std::move(options), false);
}

std::shared_ptr<Credential> auth_scheme::databricks(const AuthRow&, AuthInputs inputs) {
  return std::make_shared<auth::DatabricksCredential>(
      DatabricksOptions{.host = std::move(inputs.base_url),
                        .token = std::move(inputs.key),
                        .environment = std::move(inputs.environment)},
      inputs.optional);
}

}  // namespace inferwire::inline v0_1
