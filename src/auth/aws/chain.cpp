#include "auth/aws/chain.hpp"

#include "auth/method.hpp"
#include "auth/settings/environment.hpp"

#include <string>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

bool has_half_of_a_key(const AwsContext& context) {
  return context.settings.has("aws_access_key_id") && !context.settings.has("aws_secret_access_key");
}

Attempt keys(const AwsContext& context) {
  const auto& settings = context.settings;
  return signer({settings.text("aws_access_key_id"), settings.secret("aws_secret_access_key"),
                 settings.secret("aws_session_token")},
                context.scope);
}

Attempt web_identity(const AwsContext& context) {
  const auto& settings = context.settings;
  return refreshing(web_identity_source({settings.text("web_identity_token_file"), settings.text("role_arn"),
                                         settings.text("role_session_name")},
                                        context.environment, context.scope));
}

Attempt single_sign_on(const AwsContext& context) {
  const auto& settings = context.settings;
  return refreshing(single_sign_on_source(
      {settings.text("sso_session"), settings.text("sso_start_url"), settings.text("sso_region"),
       settings.text("sso_account_id"), settings.text("sso_role_name")},
      context.environment, context.scope));
}

Attempt process(const AwsContext& context) {
  return refreshing(process_source(context.settings.get("credential_process"), context.scope));
}

Attempt container(const AwsContext& context) {
  auto source = container_source(context.environment, context.scope);
  if (source && !*source) return "no AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  return refreshing(std::move(source));
}

Attempt instance(const AwsContext& context) {
  if (context.optional) return "nothing is configured, and nothing has to be";
  if (has_half_of_a_key(context)) return "half of a key is set";
  if (says_yes(*context.environment, "AWS_EC2_METADATA_DISABLED")) return "AWS_EC2_METADATA_DISABLED";
  return refreshing(instance_source(*context.environment, context.scope));
}

constexpr Method<AwsContext> aws_methods[] = {
    {"keys", {"aws_access_key_id", "aws_secret_access_key"}, &keys, "sigv4"},
    {"web-identity", {"web_identity_token_file", "role_arn"}, &web_identity, "sigv4, keys of a web identity"},
    {"sso",
     {"sso_account_id", "sso_role_name", "sso_start_url", "sso_region"},
     &single_sign_on,
     "sigv4, keys of a single sign-on"},
    {"process", {"credential_process"}, &process, "sigv4, keys of a program"},
    {"container", {}, &container, "sigv4, keys of the container"},
    {"instance", {}, &instance, "sigv4, keys of the instance"},
};

}  // namespace

void choose_aws_keys(Resolution& found, const AwsContext& context) {
  auto& report = found.report;
  for (const auto& method : aws_methods) {
    if (try_method(method, context, found)) return;
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
