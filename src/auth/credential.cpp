#include "inferwire/credential.hpp"

#include "inferwire/auth_report.hpp"
#include "inferwire/data_uri.hpp"
#include "protocol/redact.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

Credential::~Credential() = default;

void Credential::accept(const ResponseHead&, std::string_view, Instant) {}

void Credential::failed(const Error&, Instant) {}

bool Credential::refused(std::uint64_t) { return false; }

void Credential::offer(const AuthRow&, const AuthInputs&) {}

Result<std::string> Credential::base_url(const std::string& usual) { return usual; }

AuthReport Credential::describe() { return {.method = "credential"}; }

void Credential::conceal(std::string&) {}

GrantSource::~GrantSource() = default;

void GrantSource::accept(const ResponseHead&, std::string_view, Instant) {}

void GrantSource::failed(const Error&, Instant) {}

namespace {

/// A header that never changes; the caller's own header of this name takes precedence. An empty value is an
/// error, since the request would not be authenticated.
class StaticHeader final : public Credential {
 public:
  /// `password` is the secret inside the value, which a server could repeat.
  StaticHeader(std::string name, Secret value, Secret password = {})
      : name_(std::move(name)), value_(std::move(value)), password_(std::move(password)) {}

  Prepared prepare(HttpRequest& request, Instant) override {
    if (find_header(request.headers, name_)) return Ready{};
    if (value_.empty())
      return Error{.kind = ErrorKind::auth, .detail = "the key for the header " + name_ + " is empty"};
    request.headers.push_back({name_, std::string(value_.reveal())});
    return Ready{};
  }
  void conceal(std::string& text) override {
    protocol::conceal_value(text, value_.reveal());
    protocol::conceal(text, password_.reveal());
  }

 private:
  std::string name_;
  Secret value_;
  Secret password_;
};

class NoCredential final : public Credential {
 public:
  Prepared prepare(HttpRequest&, Instant) override { return Ready{}; }
  AuthReport describe() override { return {.method = "none"}; }
};

}  // namespace

void Credential::put_bearer(HttpRequest& request, std::string_view token) {
  request.headers.push_back({"Authorization", "Bearer " + std::string(token)});
}

std::shared_ptr<Credential> Credential::bearer(Secret key) {
  auto value = key.empty() ? Secret() : Secret("Bearer " + std::string(key.reveal()));
  return std::make_shared<StaticHeader>("Authorization", std::move(value));
}

std::shared_ptr<Credential> Credential::basic(std::string user, Secret password) {
  user += ':';
  user += password.reveal();
  return std::make_shared<StaticHeader>("Authorization", Secret("Basic " + to_base64(user)),
                                        std::move(password));
}

std::shared_ptr<Credential> Credential::header(std::string name, Secret key) {
  return std::make_shared<StaticHeader>(std::move(name), std::move(key));
}

std::shared_ptr<Credential> Credential::none() { return std::make_shared<NoCredential>(); }

}  // namespace inferwire::inline v0_1
