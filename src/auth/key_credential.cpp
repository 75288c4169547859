// A key from the client's options or the environment.
#include "auth/resolved_credential.hpp"
#include "auth/settings/environment.hpp"
#include "auth/settings/settings.hpp"
#include "inferwire/provider.hpp"

#include <array>
#include <utility>

namespace inferwire::inline v0_1 {

namespace auth {

namespace {

class KeyCredential final : public ResolvedCredential {
 public:
  KeyCredential(const AuthRow& row, AuthInputs inputs)
      : inputs_(std::move(inputs)),
        variable_(row.key_variable),
        optional_(inputs_.optional || !row.required) {}

 private:
  Resolution resolve() const override {
    const std::array attributes{Attribute{.name = "api_key", .variable = variable_, .secret = true}};
    Settings settings(attributes);
    settings.offer("api_key", inputs_.key.reveal(), "argument");
    settings.offer_environment(*inputs_.environment);
    Resolution found{.report = {.settings = settings.report()}};
    if (settings.has("api_key")) {
      found.report.method = "bearer";
      found.credential = Credential::bearer(settings.secret("api_key"));
    } else if (optional_) {
      found.report.method = "none";
      found.credential = Credential::none();
    } else {
      found.report.problem = no_key();
    }
    return found;
  }

  Error no_key() const {
    const auto variable = variable_.empty() ? std::string() : "the environment variable " + variable_ + ", ";
    return {.kind = ErrorKind::auth,
            .detail = "no key: set ClientOptions::api_key, " + variable +
                      "or Credential::none() for a server that wants none"};
  }

  const AuthInputs inputs_;
  const std::string variable_;
  const bool optional_;
};

}  // namespace

}  // namespace auth

std::shared_ptr<Credential> auth_scheme::bearer(const AuthRow& row, AuthInputs inputs) {
  return std::make_shared<auth::KeyCredential>(row, std::move(inputs));
}

}  // namespace inferwire::inline v0_1
