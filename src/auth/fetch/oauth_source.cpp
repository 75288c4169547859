#include "auth/fetch/oauth_source.hpp"

#include "auth/fetch/fetch_source.hpp"
#include "auth/fetch/form.hpp"
#include "auth/fetch/token_answer.hpp"
#include "auth/settings/environment.hpp"
#include "base/percent.hpp"
#include "inferwire/data_uri.hpp"
#include "json/text_at.hpp"
#include "protocol/url.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

namespace {

constexpr std::string_view token_service = "the token service";

bool is_plain_http(std::string_view url) {
  const auto parsed = protocol::parse_url(url);
  return parsed && parsed->scheme == "http";
}

/// Finds the token endpoint first, if it is not known, and keeps it.
class OAuthSource : public FetchSource {
 public:
  explicit OAuthSource(OAuthServer server) : server_(std::move(server)) {
    if (server_.metadata_url.empty()) endpoint_ = server_.token_url;
  }

 protected:
  /// The request for the token.
  virtual Result<HttpRequest> token_request(const std::string& endpoint) = 0;

 private:
  Result<Credential::Fetch> request(Instant) override {
    if (endpoint_.empty()) {
      return Credential::Fetch{.request = {.method = "GET",
                                           .url = server_.metadata_url,
                                           .headers = {{"Accept", "application/json"}}},
                               .limit = std::chrono::seconds(5),
                               .retry = server_.token_url.empty()};
    }
    auto request = token_request(endpoint_);
    if (!request) return std::move(request).error();
    return Credential::Fetch{.request = *std::move(request)};
  }

  Outcome read(const ResponseHead& head, std::string_view body, Instant now) override {
    if (endpoint_.empty()) return read_metadata(head, body);
    auto token = read_token(token_service, head, body, now);
    if (!token) {
      forget_guess();
      return std::move(token).error();
    }
    return Grant{Credential::bearer(std::move(token->text)), token->expires_at};
  }

  Outcome read_metadata(const ResponseHead& head, std::string_view body) {
    if (head.status == 200) {
      if (const auto answer = Json::parse(body)) endpoint_ = json::text_at(*answer, "/token_endpoint");
      if (is_plain_http(endpoint_) && !is_plain_http(server_.metadata_url)) return refuse_endpoint();
    }
    return without_metadata("status " + std::to_string(head.status));
  }

  /// Over plain http a secret may go to this machine and to a cloud's metadata address, but not because a
  /// remote service says so.
  Error refuse_endpoint() {
    endpoint_.clear();
    return {.kind = ErrorKind::config,
            .detail = "the metadata at " + metadata_place() + " names a token endpoint with plain http"};
  }

  Outcome lost(const Error& why) override {
    if (endpoint_.empty()) return without_metadata(why.detail);
    forget_guess();
    return FetchSource::lost(why);
  }

  /// Makes the next attempt ask for the metadata again, which may have been unavailable for a moment.
  void forget_guess() {
    if (std::exchange(guessed_, false)) endpoint_.clear();
  }

  /// Continues with the default endpoint if the metadata does not name one.
  Outcome without_metadata(std::string_view why) {
    guessed_ = endpoint_.empty();
    if (guessed_) endpoint_ = server_.token_url;
    if (!endpoint_.empty()) return std::nullopt;
    return Error{.kind = ErrorKind::auth,
                 .detail = "no token endpoint is named by the metadata at " + metadata_place() + " (" +
                           std::string(why) + ")"};
  }

  /// Like a key, the rest of the URL is not shown.
  std::string metadata_place() const {
    const auto url = protocol::parse_url(server_.metadata_url);
    return url ? protocol::place_of(*url) : "its URL";
  }

  OAuthServer server_;
  std::string endpoint_{};
  bool guessed_{};  ///< the metadata did not name the endpoint
};

class ClientSecretSource final : public OAuthSource {
 public:
  ClientSecretSource(OAuthServer server, ClientSecret secret)
      : OAuthSource(std::move(server)), secret_(std::move(secret)) {}

 private:
  Result<HttpRequest> token_request(const std::string& endpoint) override {
    auto request = post_form(endpoint, {{"grant_type", "client_credentials"}, {"scope", secret_.scope}});
    // RFC 6749 2.3.1: both are form-encoded before they are joined.
    const auto pair = percent_encode_segment(secret_.client_id) + ":" +
                      percent_encode_segment(secret_.client_secret.reveal());
    request.headers.push_back({"Authorization", "Basic " + to_base64(pair)});
    return request;
  }
  std::string_view secret() const override { return secret_.client_secret.reveal(); }

  ClientSecret secret_;
};

class SubjectTokenSource final : public OAuthSource {
 public:
  SubjectTokenSource(OAuthServer server, SubjectToken token)
      : OAuthSource(std::move(server)), token_(std::move(token)) {}

 private:
  Result<HttpRequest> token_request(const std::string& endpoint) override {
    auto subject = read_subject();
    if (!subject) return std::move(subject).error();
    subject_ = *std::move(subject);
    Form form{{"grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"},
              {"subject_token", subject_.reveal()},
              {"subject_token_type", "urn:ietf:params:oauth:token-type:jwt"},
              {"scope", token_.scope}};
    if (!token_.client_id.empty()) form.push_back({"client_id", token_.client_id});
    return post_form(endpoint, form);
  }

  Result<Secret> read_subject() {
    if (token_.file.empty()) {
      Secret text(variable(*token_.environment, token_.variable));
      if (text.empty()) return missing("the environment variable " + token_.variable + " holds no token");
      return text;
    }
    auto text = read_secret(*token_.environment, token_.file);
    if (text && text->empty()) return missing("the file " + token_.file + " holds no token");
    return text;
  }

  std::string_view secret() const override { return subject_.reveal(); }

  static Error missing(std::string detail) { return {.kind = ErrorKind::auth, .detail = std::move(detail)}; }

  SubjectToken token_;
  Secret subject_{};  ///< the token read last
};

}  // namespace

std::unique_ptr<GrantSource> oauth_source(OAuthServer server, ClientSecret secret) {
  return std::make_unique<ClientSecretSource>(std::move(server), std::move(secret));
}

std::unique_ptr<GrantSource> oauth_source(OAuthServer server, SubjectToken token) {
  return std::make_unique<SubjectTokenSource>(std::move(server), std::move(token));
}

}  // namespace inferwire::inline v0_1::auth
