// AWS keys for a signed-in user (IAM Identity Center): `aws sso login` has stored a token in a file.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-sso-credentials.html
#include "auth/aws/sources.hpp"
#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/settings/environment.hpp"
#include "base/percent.hpp"
#include "json/text_at.hpp"
#include "protocol/aws.hpp"
#include "protocol/date.hpp"
#include "protocol/signing/sha256.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::string_view sso_service = "the single sign-on of AWS";

class SingleSignOnSource final : public FetchSource {
 public:
  SingleSignOnSource(SingleSignOn sign_on, std::shared_ptr<Environment> environment, AwsScope scope)
      : sign_on_(std::move(sign_on)), environment_(std::move(environment)), scope_(std::move(scope)) {}

 private:
  Result<Credential::Fetch> request(Instant now) override {
    auto token = read_token_file(now);
    if (!token) return std::move(token).error();
    const auto url = protocol::with_region("https://portal.sso.{region}.amazonaws.com", sign_on_.region) +
                     "/federation/credentials?role_name=" + percent_encode_segment(sign_on_.role_name) +
                     "&account_id=" + percent_encode_segment(sign_on_.account_id);
    return Credential::Fetch{
        .request = {.method = "GET",
                    .url = url,
                    .headers = {{"Accept", "application/json"},
                                {"x-amz-sso_bearer_token", std::string(token->reveal())}}}};
  }

  /// Reads the token stored by the last sign-in.
  Result<Secret> read_token_file(Instant now) const {
    const auto& name = sign_on_.session.empty() ? sign_on_.start_url : sign_on_.session;
    const auto digest = protocol::sha1(name);
    const auto path = "~/.aws/sso/cache/" + (digest ? protocol::hex(*digest) : "?") + ".json";
    const auto text = environment_->file(expand_home(*environment_, path));
    if (!text) return text.error();
    const auto document = Json::parse(text->value_or("null"));
    Secret token(document ? json::text_at(*document, "/accessToken") : "");
    if (token.empty()) return not_signed_in(path + " holds no accessToken");
    const auto end = protocol::parse_timestamp(json::text_at(*document, "/expiresAt"));
    if (end && *end <= now.wall) return not_signed_in("the token in " + path + " has expired");
    return token;
  }

  static Error not_signed_in(const std::string& why) {
    return {.kind = ErrorKind::auth, .detail = why + "; run aws sso login"};
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant) override {
    if (head.status == 401)
      return not_signed_in("the single sign-on of AWS does not know the token any more");
    if (head.status != 200) return refusal(sso_service, head, {});
    const auto answer = Json::parse(body);
    if (!answer) return not_a_token(sso_service, "no JSON");
    const auto end = answer->find("/roleCredentials/expiration");
    auto grant = grant_of(sso_service,
                          {json::text_at(*answer, "/roleCredentials/accessKeyId"),
                           json::text_at(*answer, "/roleCredentials/secretAccessKey"),
                           json::text_at(*answer, "/roleCredentials/sessionToken")},
                          {}, scope_);
    if (grant && end) grant->expires_at = date_of(*end);
    return grant;
  }

  /// A number of milliseconds since 1970.
  static std::optional<std::chrono::system_clock::time_point> date_of(const Json& value) {
    const auto number = value.as_int().value_or(-1);
    if (number < 0 || number > latest_second * 1000) return std::nullopt;
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(number));
  }

  SingleSignOn sign_on_;
  std::shared_ptr<Environment> environment_;
  AwsScope scope_;
};

}  // namespace

std::unique_ptr<GrantSource> single_sign_on_source(SingleSignOn sign_on,
                                                   std::shared_ptr<Environment> environment, AwsScope scope) {
  return std::make_unique<SingleSignOnSource>(std::move(sign_on), std::move(environment), std::move(scope));
}

}  // namespace inferwire::inline v0_1::auth
