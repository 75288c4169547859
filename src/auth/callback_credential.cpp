// Keys and tokens that a function of the user's gives.
#include <mutex>
#include <string>
#include <utility>

#include "inferwire/credential.hpp"
#include "protocol/redact.hpp"

namespace inferwire::inline v0_1::detail {
namespace {

class AskedEachTime final : public Credential {
 public:
  explicit AskedEachTime(std::unique_ptr<Source<Secret>> source) : source_(std::move(source)) {}

  Prepared prepare(HttpRequest& request, Instant) override {
    auto key = source_->ask();
    if (!key) return key.error();
    put_bearer(request, key->reveal());
    const std::lock_guard lock(mutex_);
    last_ = *std::move(key);
    return Ready{};
  }
  bool refused(std::uint64_t) override { return true; }
  void conceal(std::string& text) override {
    const std::lock_guard lock(mutex_);
    protocol::conceal(text, last_.reveal());
  }

 private:
  std::unique_ptr<Source<Secret>> source_;
  std::mutex mutex_;  // guards what follows
  Secret last_;
};

class AskedWhenNeeded final : public GrantSource {
 public:
  explicit AskedWhenNeeded(std::unique_ptr<Source<Token>> source) : source_(std::move(source)) {}

  Step next(Instant) override {
    auto token = source_->ask();
    if (!token) return std::move(token).error();
    return Grant{Credential::bearer(std::move(token->text)), token->expires_at};
  }

 private:
  std::unique_ptr<Source<Token>> source_;
};

}  // namespace

std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<Secret>> source) {
  return std::make_shared<AskedEachTime>(std::move(source));
}

std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<Token>> source) {
  return Credential::refreshing(std::make_unique<AskedWhenNeeded>(std::move(source)));
}

}  // namespace inferwire::inline v0_1::detail
