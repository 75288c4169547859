#include "auth/aws/sources.hpp"

#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/fetch_url.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/settings/environment.hpp"
#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "json/scanner.hpp"
#include "json/text_at.hpp"
#include "protocol/date.hpp"

#include <optional>
#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

/// These services are local or do not exist.
constexpr auto limit = std::chrono::seconds(2);

Result<Grant> read_keys(std::string_view service, const ResponseHead& head, std::string_view body,
                        const AwsScope& scope) {
  if (head.status != 200) return refusal(service, head, {});
  const auto answer = Json::parse(body);
  if (!answer) return not_a_token(service, "no JSON");
  return grant_of(service,
                  {json::text_at(*answer, "/AccessKeyId"), json::text_at(*answer, "/SecretAccessKey"),
                   json::text_at(*answer, "/Token")},
                  json::text_at(*answer, "/Expiration"), scope);
}

class ContainerSource final : public FetchSource {
 public:
  ContainerSource(std::string url, std::shared_ptr<Environment> environment, AwsScope scope)
      : url_(std::move(url)), environment_(std::move(environment)), scope_(std::move(scope)) {}

 private:
  Result<Credential::Fetch> request(Instant) override {
    auto token = authorization();
    if (!token) return std::move(token).error();
    HttpRequest request{.method = "GET", .url = url_, .headers = {{"Accept", "application/json"}}};
    if (!token->empty()) request.headers.push_back({"Authorization", std::string(token->reveal())});
    return Credential::Fetch{.request = std::move(request), .limit = limit};
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant) override {
    return read_keys("the container's credential service", head, body, scope_);
  }

  /// The token for the service; its file changes without notice.
  Result<Secret> authorization() const {
    const auto path = variable(*environment_, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    if (path.empty()) return Secret(variable(*environment_, "AWS_CONTAINER_AUTHORIZATION_TOKEN"));
    return read_secret(*environment_, path);
  }

  std::string url_;
  std::shared_ptr<Environment> environment_;
  AwsScope scope_;
};

/// Requests a session, then the name of the instance's role, then the role's keys.
class InstanceSource final : public FetchSource {
  static constexpr std::string_view service = "the instance's metadata service";

 public:
  InstanceSource(std::string endpoint, AwsScope scope)
      : endpoint_(std::move(endpoint)), scope_(std::move(scope)) {}

 private:
  Result<Credential::Fetch> request(Instant) override {
    HttpRequest request{.method = "GET", .url = endpoint_ + "/latest/"};
    if (session_.empty()) {
      request.method = "PUT";
      request.url += "api/token";
      request.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}};
    } else {
      request.url += "meta-data/iam/security-credentials/" + percent_encode_segment(role_);
      request.headers = {{"X-aws-ec2-metadata-token", std::string(session_.reveal())}};
    }
    return Credential::Fetch{.request = std::move(request), .limit = limit, .retry = false};
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant) override {
    if (!role_.empty()) return read_keys(service, head, body, scope_).transform_error(&explained);
    const auto text = json::trim(body.substr(0, body.find('\n')));
    if (head.status != 200) return explained(refusal(service, head, {}));
    if (text.empty()) return explained(not_a_token(service, "nothing"));
    if (session_.empty()) {
      session_ = Secret(std::string(text));
    } else {
      role_ = text;
    }
    return std::nullopt;
  }

  Outcome lost(const Error& why) override {
    auto error = why;
    error.kind = ErrorKind::auth;
    error.detail.insert(0, std::string(service) + " cannot be reached: ");
    return explained(std::move(error));
  }

  /// This service is asked if nothing was set, which may be the cause of the failure.
  static Error explained(Error error) {
    error.detail.insert(0, "no keys for AWS are set (AWS_ACCESS_KEY_ID, ~/.aws/credentials), and ");
    return error;
  }

  void restart() override {
    session_ = Secret();
    role_.clear();
  }

  std::string endpoint_;
  AwsScope scope_;
  Secret session_{};
  std::string role_{};
};

}  // namespace

Result<Grant> grant_of(std::string_view service, AwsKeys keys, std::string_view expiration,
                       const AwsScope& scope) {
  if (keys.access_key_id.empty() || keys.secret_access_key.empty()) {
    return not_a_token(service, "something without keys");
  }
  return Grant{signer(std::move(keys), scope), protocol::parse_timestamp(expiration)};
}

Result<std::unique_ptr<GrantSource>> container_source(std::shared_ptr<Environment> environment,
                                                      AwsScope scope) {
  std::string name = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
  auto url = variable(*environment, name);
  if (!url.empty()) {
    // If it had no slash, the text would become part of the host name.
    if (!url.starts_with('/')) {
      return Error{.kind = ErrorKind::config, .detail = name + ": the path has no / at its front"};
    }
    url.insert(0, "http://169.254.170.2");
  } else {
    name = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
    url = variable(*environment, name);
  }
  if (url.empty()) return std::unique_ptr<GrantSource>();
  if (auto checked = check_fetch_url(url); !checked) {
    checked.error().detail.insert(0, name + ": ");
    return std::move(checked).error();
  }
  return std::unique_ptr<GrantSource>(
      std::make_unique<ContainerSource>(std::move(url), std::move(environment), std::move(scope)));
}

std::unique_ptr<GrantSource> instance_source(const Environment& environment, AwsScope scope) {
  auto endpoint = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT");
  const auto mode = variable(environment, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
  const bool is_v6 = ascii::equal_ignoring_case(mode, "IPv6");
  if (endpoint.empty()) endpoint = is_v6 ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return std::make_unique<InstanceSource>(std::move(endpoint), std::move(scope));
}

}  // namespace inferwire::inline v0_1::auth
