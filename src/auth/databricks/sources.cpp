#include "auth/databricks/sources.hpp"

#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/program/program_source.hpp"
#include "auth/settings/environment.hpp"
#include "json/text_at.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

Grant bearer_grant(AccessToken token) {
  return {Credential::bearer(std::move(token.text)), token.expires_at};
}

class MetadataServiceSource final : public FetchSource {
 public:
  MetadataServiceSource(Secret url, std::string host) : url_(std::move(url)), host_(std::move(host)) {}

 private:
  Result<Credential::Fetch> request(Instant) override {
    return Credential::Fetch{.request = {.method = "GET",
                                         .url = std::string(url_.reveal()),
                                         .headers = {{"Accept", "application/json"},
                                                     {"X-Databricks-Metadata-Version", "1"},
                                                     {"X-Databricks-Host", host_}}},
                             .limit = std::chrono::seconds(10)};
  }
  Outcome read(const ResponseHead& head, std::string_view body, Instant now) override {
    return read_token("the metadata service", head, body, now).transform(bearer_grant);
  }
  std::string_view secret() const override { return url_.reveal(); }

  Secret url_;
  std::string host_;
};

class DatabricksCliSource final : public ProgramSource {
 public:
  using ProgramSource::ProgramSource;

 private:
  Result<Grant> read(std::string_view output, Instant now) const override {
    return read_token(program(), {.status = 200}, output, now).transform(bearer_grant);
  }
  std::string refusal(int status) const override {
    return program() + " auth token ended with status " + std::to_string(status) + "; is it logged in?";
  }
};

constexpr const char* model_serving_file = "/var/credentials-secret/model-dependencies-oauth-token";

/// The file changes without notice: it is read again when the token is this old.
constexpr auto model_serving_interval = std::chrono::seconds(300);

class ModelServingSource final : public GrantSource {
 public:
  explicit ModelServingSource(std::shared_ptr<Environment> environment)
      : environment_(std::move(environment)) {}

  Step next(Instant now) override {
    const auto text = environment_->file(model_serving_file);
    if (!text) return text.error();
    const auto document = Json::parse(text->value_or("null"));
    Secret token(document ? json::text_at(*document, "/OAUTH_TOKEN/0/oauthTokenValue") : "");
    if (token.empty()) return not_a_token(model_serving_file, "no OAUTH_TOKEN");
    // Renewal begins after half of the lifetime.
    return Grant{Credential::bearer(std::move(token)), now.wall + 2 * model_serving_interval};
  }

 private:
  std::shared_ptr<Environment> environment_;
};

}  // namespace

std::unique_ptr<GrantSource> metadata_service_source(Secret url, std::string host) {
  return std::make_unique<MetadataServiceSource>(std::move(url), std::move(host));
}

std::unique_ptr<GrantSource> databricks_cli_source(std::string program, std::string host,
                                                   std::string profile) {
  if (program.empty()) program = "databricks";
  std::vector<std::string> command{std::move(program), "auth", "token"};
  command.emplace_back(profile.empty() ? "--host" : "--profile");
  command.push_back(profile.empty() ? std::move(host) : std::move(profile));
  return std::make_unique<DatabricksCliSource>(std::move(command));
}

std::unique_ptr<GrantSource> model_serving_source(std::shared_ptr<Environment> environment) {
  return std::make_unique<ModelServingSource>(std::move(environment));
}

std::string model_serving_host(const Environment& environment) {
  const bool here = says_yes(environment, "IS_IN_DB_MODEL_SERVING_ENV") ||
                    says_yes(environment, "IS_IN_DATABRICKS_MODEL_SERVING_ENV");
  if (!here) return {};
  auto host = variable(environment, "DATABRICKS_MODEL_SERVING_HOST_URL");
  return host.empty() ? variable(environment, "DB_MODEL_SERVING_HOST_URL") : host;
}

}  // namespace inferwire::inline v0_1::auth
