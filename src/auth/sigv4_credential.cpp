// Credential::sigv4: signs each request as it is about to be sent.
#include <utility>

#include "auth/environment.hpp"
#include "inferwire/credential.hpp"
#include "protocol/ascii.hpp"
#include "protocol/headers.hpp"
#include "protocol/sigv4.hpp"

namespace inferwire::inline v0_1 {

namespace {

/// Headers on which a proxy may lay hands are not signed.
bool is_signed(std::string_view name) {
  const auto lower = protocol::ascii::to_lower(name);
  return lower == "host" || lower == "content-type" || lower.starts_with("x-amz-") ||
         lower.starts_with("x-amzn-");
}

class SigV4Credential final : public Credential {
 public:
  explicit SigV4Credential(SigV4Options options) : options_(std::move(options)) {
    const auto environment = Environment::system();
    const auto variable = [&](std::string_view name) { return auth::variable(*environment, name); };
    if (options_.access_key_id.empty()) {
      options_.access_key_id = variable("AWS_ACCESS_KEY_ID");
      options_.secret_access_key = Secret(variable("AWS_SECRET_ACCESS_KEY"));
      options_.session_token = Secret(variable("AWS_SESSION_TOKEN"));
    }
    for (const auto* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
      if (options_.region.empty()) options_.region = variable(name);
    }
  }

  Prepared prepare(HttpRequest& request, Instant instant) override {
    if (auto problem = protocol::problem_with_signing()) return *std::move(problem);
    if (options_.access_key_id.empty() || options_.secret_access_key.empty()) {
      return Error{.kind = ErrorKind::auth,
                   .detail =
                       "no keys for AWS: set SigV4Options, or the environment variables "
                       "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"};
    }
    if (options_.region.empty()) {
      return Error{.kind = ErrorKind::config,
                   .detail =
                       "no region of AWS: set SigV4Options::region, or the environment variable "
                       "AWS_REGION"};
    }
    const auto now = instant.wall;
    protocol::set_header(request.headers, {"X-Amz-Date", protocol::amz_date(now)});
    if (!options_.session_token.empty()) {
      protocol::set_header(request.headers,
                           {"X-Amz-Security-Token", std::string(options_.session_token.reveal())});
    }
    HttpRequest part{.method = request.method, .url = request.url, .body = std::move(request.body)};
    part.headers.push_back({"Host", std::string(protocol::host_of(request.url))});
    for (const auto& header : request.headers) {
      if (is_signed(header.name)) part.headers.push_back(header);
    }
    const auto signature =
        protocol::sign_v4(part, {options_.access_key_id, options_.secret_access_key.reveal()},
                          {options_.region, options_.service}, now);
    request.body = std::move(part.body);
    if (!signature) return signature.error();
    request.headers.push_back({"Authorization", signature->authorization});
    return Ready{};
  }

 private:
  SigV4Options options_;
};

}  // namespace

std::shared_ptr<Credential> Credential::sigv4(SigV4Options options) {
  return std::make_shared<SigV4Credential>(std::move(options));
}

}  // namespace inferwire::inline v0_1
