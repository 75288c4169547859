#include "auth/resolved_credential.hpp"

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

}  // namespace inferwire::inline v0_1::auth
