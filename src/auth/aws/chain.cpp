#include "auth/aws/chain.hpp"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "auth/settings/environment.hpp"

namespace inferwire::inline v0_1::auth {

namespace {

/// What a way makes of the settings: a credential, why it cannot be taken, or why none can.
using Made = std::variant<std::shared_ptr<Credential>, std::string, Error>;

Made refreshing(std::unique_ptr<GrantSource> source) { return Credential::refreshing(std::move(source)); }

/// The first of these settings that is missing, as a reason; empty: none is.
template <std::size_t Count>
std::string missing(const AwsContext& context, const std::array<const char*, Count>& names) {
  for (const auto* name : names) {
    if (!context.settings.has(name)) return std::string("no ") + name;
  }
  return {};
}

bool has_half_of_a_key(const AwsContext& context) {
  return context.settings.has("aws_access_key_id") && !context.settings.has("aws_secret_access_key");
}

Made keys(const AwsContext& context) {
  const auto& settings = context.settings;
  if (auto why = missing(context, std::array{"aws_access_key_id", "aws_secret_access_key"}); !why.empty())
    return why;
  return signer({settings.text("aws_access_key_id"), settings.secret("aws_secret_access_key"),
                 settings.secret("aws_session_token")},
                context.scope);
}

Made web_identity(const AwsContext& context) {
  const auto& settings = context.settings;
  if (auto why = missing(context, std::array{"web_identity_token_file", "role_arn"}); !why.empty())
    return why;
  return refreshing(web_identity_source({settings.text("web_identity_token_file"), settings.text("role_arn"),
                                         settings.text("role_session_name")},
                                        context.environment, context.scope));
}

Made single_sign_on(const AwsContext& context) {
  const auto& settings = context.settings;
  if (auto why =
          missing(context, std::array{"sso_account_id", "sso_role_name", "sso_start_url", "sso_region"});
      !why.empty())
    return why;
  return refreshing(single_sign_on_source(
      {settings.text("sso_session"), settings.text("sso_start_url"), settings.text("sso_region"),
       settings.text("sso_account_id"), settings.text("sso_role_name")},
      context.environment, context.scope));
}

Made process(const AwsContext& context) {
  if (auto why = missing(context, std::array{"credential_process"}); !why.empty()) return why;
  auto source = process_source(context.settings.get("credential_process"), context.scope);
  if (!source) return std::move(source).error();
  return refreshing(*std::move(source));
}

Made container(const AwsContext& context) {
  auto source = container_source(context.environment, context.scope);
  if (!source) return std::move(source).error();
  if (!*source) return "no AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  return refreshing(*std::move(source));
}

Made instance(const AwsContext& context) {
  if (context.optional) return "nothing is configured, and nothing has to be";
  if (has_half_of_a_key(context)) return "half of a key is set";
  if (says_yes(*context.environment, "AWS_EC2_METADATA_DISABLED")) return "AWS_EC2_METADATA_DISABLED";
  return refreshing(instance_source(*context.environment, context.scope));
}

struct Way {
  const char* name;
  const char* method;
  Made (*make)(const AwsContext&);
};
constexpr std::array ways{Way{"keys", "sigv4", &keys},
                          Way{"web-identity", "sigv4, keys of a web identity", &web_identity},
                          Way{"sso", "sigv4, keys of a single sign-on", &single_sign_on},
                          Way{"process", "sigv4, keys of a program", &process},
                          Way{"container", "sigv4, keys of the container", &container},
                          Way{"instance", "sigv4, keys of the instance", &instance}};

}  // namespace

void choose_aws_keys(Resolution& found, const AwsContext& context) {
  auto& report = found.report;
  for (const auto& way : ways) {
    auto made = way.make(context);
    if (auto* problem = std::get_if<Error>(&made)) {
      report.problem = std::move(*problem);
      return;
    }
    if (auto* credential = std::get_if<std::shared_ptr<Credential>>(&made)) {
      report.method = way.method;
      found.credential = std::move(*credential);
      return;
    }
    report.rejected.push_back({way.name, std::get<std::string>(std::move(made))});
  }
  if (context.optional) {
    report.method = "none";
    found.credential = Credential::none();
    return;
  }
  report.problem =
      Error{.kind = ErrorKind::auth,
            .detail =
                "no keys for AWS: set SigV4Options, or the environment variables AWS_ACCESS_KEY_ID and "
                "AWS_SECRET_ACCESS_KEY; tried: " +
                list_of(report.rejected) + sentence_of(report.settings)};
}

}  // namespace inferwire::inline v0_1::auth
