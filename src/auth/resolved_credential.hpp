/// \file
/// Base of credentials that first search for their keys.
#pragma once

#include "inferwire/auth_report.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/credential_options.hpp"
#include "inferwire/headers.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

/// The result of the search. If there is no credential, the report contains the problem.
struct Resolution {
  std::shared_ptr<Credential> credential{};
  AuthReport report{};
  std::string base_url{};         ///< the service's URL, if the configuration has one
  std::vector<Header> headers{};  ///< sent with each request, besides the credential's
};

/// Searches once, on first use, and delegates to the credential that it found.
class ResolvedCredential : public Credential {
 public:
  Prepared prepare(HttpRequest& request, Instant now) final;
  void accept(const ResponseHead& head, std::string_view body, Instant now) final;
  void failed(const Error& why, Instant now) final;
  bool refused(std::uint64_t version) final;
  void conceal(std::string& text) final;
  void offer(const AuthRow& row, const AuthInputs& known) final;
  Result<std::string> base_url(const std::string& usual) override;
  AuthReport describe() final;

 protected:
  const Resolution& resolution();

 private:
  /// Fills in what the options leave open. Called once, before `resolve`. By default does nothing.
  virtual void complete(const AuthRow& row, const AuthInputs& known);
  virtual Resolution resolve() const = 0;

  std::once_flag completed_;
  std::once_flag resolved_;
  Resolution resolution_;
};

/// The URL of a service that is reached in process and has none configured. The domain is reserved (RFC
/// 6761): a request that bypasses the in-process transport, such as a recorder's, reaches no server.
inline constexpr std::string_view url_in_process = "https://in-process.invalid";

}  // namespace inferwire::inline v0_1::auth
