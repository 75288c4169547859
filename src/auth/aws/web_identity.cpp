// AWS keys for a token signed by a third party, such as Kubernetes on EKS (AssumeRoleWithWebIdentity).
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
#include "auth/aws/sources.hpp"
#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/form.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/settings/environment.hpp"
#include "protocol/aws.hpp"
#include "protocol/headers.hpp"

#include <chrono>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::string_view sts_service = "the token service of AWS";

/// The text of the first element with this name; empty if there is none.
std::string element(std::string_view xml, const std::string& name) {
  const auto open = "<" + name + ">";
  const auto begin = xml.find(open);
  if (begin == xml.npos) return {};
  const auto text = xml.substr(begin + open.size());
  const auto end = text.find("</" + name + ">");
  return end == text.npos ? std::string() : std::string(text.substr(0, end));
}

class WebIdentitySource final : public FetchSource {
 public:
  WebIdentitySource(WebIdentity identity, std::shared_ptr<Environment> environment, AwsScope scope)
      : identity_(std::move(identity)), environment_(std::move(environment)), scope_(std::move(scope)) {}

 private:
  Result<Credential::Fetch> request(Instant now) override {
    // The file changes without notice: such tokens are valid for hours.
    auto token = read_secret(*environment_, identity_.token_file);
    if (!token) return std::move(token).error();
    token_ = *std::move(token);
    if (token_.empty()) {
      return Error{.kind = ErrorKind::auth, .detail = "the file " + identity_.token_file + " holds no token"};
    }
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now.wall).time_since_epoch().count();
    const auto session =
        identity_.session_name.empty() ? "inferwire-" + std::to_string(seconds) : identity_.session_name;
    auto asked = post_form(endpoint(), {{"Action", "AssumeRoleWithWebIdentity"},
                                        {"Version", "2011-06-15"},
                                        {"RoleArn", identity_.role_arn},
                                        {"RoleSessionName", session},
                                        {"WebIdentityToken", token_.reveal()}});
    protocol::set_header(asked.headers, {"Accept", "text/xml"});
    return Credential::Fetch{.request = std::move(asked)};
  }

  std::string endpoint() const {
    auto url = variable(*environment_, "AWS_ENDPOINT_URL_STS");
    if (!url.empty()) return url;
    return protocol::with_region("https://sts.{region}.amazonaws.com/", scope_.region);
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant) override {
    if (head.status != 200) {
      auto error = refusal(sts_service, head, {});
      error.code = excerpt(element(body, "Code"));
      if (const auto why = excerpt(element(body, "Message")); !why.empty()) error.detail += ": " + why;
      return error;
    }
    return grant_of(
        sts_service,
        {element(body, "AccessKeyId"), element(body, "SecretAccessKey"), element(body, "SessionToken")},
        element(body, "Expiration"), scope_);
  }

  std::string_view secret() const override { return token_.reveal(); }

  WebIdentity identity_;
  std::shared_ptr<Environment> environment_;
  AwsScope scope_;
  Secret token_{};  ///< the token read last
};

}  // namespace

std::unique_ptr<GrantSource> web_identity_source(WebIdentity identity,
                                                 std::shared_ptr<Environment> environment, AwsScope scope) {
  return std::make_unique<WebIdentitySource>(std::move(identity), std::move(environment), std::move(scope));
}

}  // namespace inferwire::inline v0_1::auth
