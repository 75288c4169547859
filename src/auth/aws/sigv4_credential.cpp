// Credential::sigv4: finds the keys, and signs each request just before it is sent.
#include "auth/aws/chain.hpp"
#include "auth/aws/settings.hpp"
#include "auth/aws/sources.hpp"
#include "auth/resolved_credential.hpp"
#include "base/ascii.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/provider.hpp"
#include "protocol/aws.hpp"
#include "protocol/headers.hpp"
#include "protocol/redact.hpp"
#include "protocol/signing/sigv4.hpp"
#include "protocol/url.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

namespace auth {
namespace {

/// Headers that a proxy may change are not signed; X-Ray and load balancers change the id of the trace.
bool is_signed(std::string_view name) {
  const auto lower = ascii::to_lower(name);
  if (lower == "x-amzn-trace-id") return false;
  return lower == "host" || lower == "content-type" || lower.starts_with("x-amz-") ||
         lower.starts_with("x-amzn-");
}

class Signer final : public Credential {
 public:
  Signer(AwsKeys keys, AwsScope scope) : keys_(std::move(keys)), scope_(std::move(scope)) {}

  Prepared prepare(HttpRequest& request, Instant now) override {
    protocol::set_header(request.headers, {"X-Amz-Date", protocol::amz_date(now.wall)});
    if (!keys_.session_token.empty()) {
      protocol::set_header(request.headers,
                           {"X-Amz-Security-Token", std::string(keys_.session_token.reveal())});
    }
    HttpRequest part{.method = request.method, .url = request.url, .body = std::move(request.body)};
    if (!find_header(request.headers, "host")) {
      part.headers.push_back({"Host", std::string(protocol::split_url(request.url).host)});
    }
    for (const auto& header : request.headers) {
      if (is_signed(header.name)) part.headers.push_back(header);
    }
    const auto signature = protocol::sign_v4(part, {keys_.access_key_id, keys_.secret_access_key.reveal()},
                                             {scope_.region, scope_.service}, now.wall);
    request.body = std::move(part.body);
    if (!signature) return signature.error();
    request.headers.push_back({"Authorization", signature->authorization});
    return Ready{};
  }
  void conceal(std::string& text) override {
    protocol::conceal(text, keys_.secret_access_key.reveal());
    protocol::conceal(text, keys_.session_token.reveal());
  }

 private:
  AwsKeys keys_;
  AwsScope scope_;
};

Error no_region() {
  return {.kind = ErrorKind::config,
          .detail =
              "no region of AWS: name it in the provider's row or SigV4Options::region, by the "
              "environment variable AWS_REGION, or in ~/.aws/config"};
}

class SigV4Credential final : public ResolvedCredential {
 public:
  SigV4Credential(SigV4Options options, bool optional) : options_(std::move(options)), optional_(optional) {}

  Result<std::string> base_url(const std::string& usual) override {
    if (usual.find(protocol::region_mark) == usual.npos) return usual;
    const auto& found = resolution();
    const auto region = region_of(found);
    if (region.empty())
      return optional_ ? Result<std::string>(std::string()) : Result<std::string>(no_region());
    if (!protocol::is_region(region)) return *found.report.problem;
    return protocol::with_region(usual, region);
  }

 private:
  /// The region is a setting like the others, and always reported.
  static std::string region_of(const Resolution& found) {
    for (const auto& setting : found.report.settings) {
      if (setting.name == "region") return setting.value;
    }
    return {};
  }

  void complete(const AuthRow& row, const AuthInputs& known) override {
    if (options_.region.empty()) options_.region = row.region;
    if (!options_.environment) options_.environment = known.environment;
  }

  Resolution resolve() const override {
    auto [settings, notes, problem] = resolve_aws(options_);
    Resolution found{.report = {.settings = settings.report(), .notes = std::move(notes)}};
    auto& report = found.report;
    // Nothing is signed if there are no keys.
    if (!optional_ && (report.problem = protocol::problem_with_signing())) return found;
    if ((report.problem = std::move(problem))) return found;
    choose_aws_keys(found,
                    {settings, options_.environment, {settings.text("region"), options_.service}, optional_});
    if (found.credential && report.method != "none" && !settings.has("region")) {
      found.credential.reset();
      report.problem = no_region();
    }
    return found;
  }

  SigV4Options options_;
  const bool optional_;
};

}  // namespace

std::shared_ptr<Credential> signer(AwsKeys keys, AwsScope scope) {
  return std::make_shared<Signer>(std::move(keys), std::move(scope));
}

}  // namespace auth

std::shared_ptr<Credential> Credential::sigv4(SigV4Options options) {
  return std::make_shared<auth::SigV4Credential>(std::move(options), false);
}

std::shared_ptr<Credential> auth_scheme::sigv4(const AuthRow& row, AuthInputs inputs) {
  if (!inputs.key.empty()) return bearer(row, std::move(inputs));
  return std::make_shared<auth::SigV4Credential>(
      SigV4Options{
          .region = row.region, .service = row.service, .environment = std::move(inputs.environment)},
      inputs.optional);
}

}  // namespace inferwire::inline v0_1
