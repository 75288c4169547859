// A key that the client's options or the environment hold.
#include <array>
#include <utility>

#include "auth/environment.hpp"
#include "auth/resolved_credential.hpp"
#include "auth/settings.hpp"

namespace inferwire::inline v0_1::auth {

namespace {

class KeyCredential final : public ResolvedCredential {
 public:
  KeyCredential(KeyOptions options, bool optional) : options_(std::move(options)), optional_(optional) {}

 private:
  Resolution resolve() const override {
    const std::array attributes{Attribute{.name = "api_key", .variable = options_.variable, .secret = true}};
    Settings settings(attributes);
    settings.offer("api_key", options_.key.reveal(), "argument");
    settings.offer_environment(*options_.environment);
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
    const auto variable =
        options_.variable.empty() ? std::string() : "the environment variable " + options_.variable + ", ";
    return {.kind = ErrorKind::auth,
            .detail = "no key: set ClientOptions::api_key, " + variable +
                      "or Credential::none() for a server that wants none"};
  }

  KeyOptions options_;
  const bool optional_;
};

}  // namespace

std::shared_ptr<Credential> key_credential(KeyOptions options, bool optional) {
  return std::make_shared<KeyCredential>(std::move(options), optional);
}

}  // namespace inferwire::inline v0_1::auth
