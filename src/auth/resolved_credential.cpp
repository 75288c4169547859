#include "auth/resolved_credential.hpp"

#include "inferwire/provider.hpp"
#include "protocol/headers.hpp"

#include <variant>

namespace inferwire::inline v0_1::auth {

Credential::Prepared ResolvedCredential::prepare(HttpRequest& request, Instant now) {
  const auto& found = resolution();
  if (!found.credential) return *found.report.problem;
  auto prepared = found.credential->prepare(request, now);
  if (std::holds_alternative<Ready>(prepared)) protocol::layer_headers(request.headers, found.headers);
  return prepared;
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

void ResolvedCredential::offer(const AuthRow& row, const AuthInputs& known) {
  std::call_once(completed_, [&] { complete(row, known); });
}

Result<std::string> ResolvedCredential::base_url(const std::string& usual) {
  const auto& found = resolution();
  if (!found.base_url.empty()) return found.base_url;
  if (usual.empty() && found.report.problem) return *found.report.problem;
  return usual;
}

AuthReport ResolvedCredential::describe() { return resolution().report; }

void ResolvedCredential::complete(const AuthRow&, const AuthInputs&) {}

const Resolution& ResolvedCredential::resolution() {
  // Nothing was offered before, and later offers are ignored.
  std::call_once(completed_, [this] { complete(AuthRow(), {.environment = Environment::system()}); });
  std::call_once(resolved_, [this] { resolution_ = resolve(); });
  return resolution_;
}

}  // namespace inferwire::inline v0_1::auth
