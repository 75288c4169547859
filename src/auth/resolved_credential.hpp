/// \file
/// What credentials have in common that first look where their keys are.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "inferwire/auth_report.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/credential_options.hpp"

namespace inferwire::inline v0_1::auth {

/// What the look came to. Without a credential the report tells the problem.
struct Resolution {
  std::shared_ptr<Credential> credential{};
  AuthReport report{};
  std::string base_url{};  ///< the address of the service, if the configuration has it
};

/// Looks at the first need, once, and leaves the rest to what it has found.
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
  /// Fills in what the options leave open. Called once, before `resolve`. By default nothing is.
  virtual void complete(const AuthRow& row, const AuthInputs& known);
  virtual Resolution resolve() const = 0;

  std::once_flag completed_;
  std::once_flag resolved_;
  Resolution resolution_;
};

/// The address of a service that is reached in process and that nobody gave one. No name under it is
/// anybody's (RFC 6761): what goes around a real transport, such as a recorder, reaches nobody there.
inline constexpr std::string_view url_in_process = "https://in-process.invalid";

}  // namespace inferwire::inline v0_1::auth
