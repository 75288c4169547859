#include "auth/resolved_credential.hpp"

#include <utility>

namespace inferwire::inline v0_1::auth {

Credential::Prepared ResolvedCredential::prepare(HttpRequest& request, Instant now) {
  const auto& found = resolution();
  if (!found.credential) return *found.report.problem;
  return found.credential->prepare(request, now);
}

void ResolvedCredential::accept(const ResponseHead& head, std::string_view body, Instant now) {
  if (const auto& found = resolution(); found.credential) found.credential->accept(head, body, now);
}

void ResolvedCredential::failed(const Error& why, Instant now) {
  if (const auto& found = resolution(); found.credential) found.credential->failed(why, now);
}

bool ResolvedCredential::refused(std::uint64_t version) {
  const auto& found = resolution();
  return found.credential && found.credential->refused(version);
}

void ResolvedCredential::conceal(std::string& text) {
  if (const auto& found = resolution(); found.credential) found.credential->conceal(text);
}

Result<std::string> ResolvedCredential::base_url(const std::string& usual) {
  const auto& found = resolution();
  if (!found.base_url.empty()) return found.base_url;
  if (usual.empty() && found.report.problem) return *found.report.problem;
  return usual;
}

AuthReport ResolvedCredential::describe() { return resolution().report; }

const Resolution& ResolvedCredential::resolution() {
  std::call_once(once_, [this] { resolution_ = resolve(); });
  return resolution_;
}

std::shared_ptr<Credential> provider_credential(const AuthRow& row, ProviderOptions options) {
  switch (row.scheme) {
    case AuthScheme::databricks:
      return databricks_credential({.host = std::move(options.base_url),
                                    .token = std::move(options.key),
                                    .environment = std::move(options.environment)},
                                   options.optional);
    case AuthScheme::sigv4:
      if (!options.key.empty()) break;  // a proxy in front of the service may want one
      return sigv4_credential(
          {.region = row.region, .service = row.service, .environment = std::move(options.environment)},
          options.optional);
    case AuthScheme::bearer: break;
  }
  return key_credential({std::move(options.key), row.key_variable, std::move(options.environment)},
                        options.optional || !row.required);
}

}  // namespace inferwire::inline v0_1::auth
