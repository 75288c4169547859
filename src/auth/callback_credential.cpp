// Keys and tokens from a function of the user.
#include "inferwire/credential.hpp"
#include "protocol/redact.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::detail {
namespace {

Error nothing_given() {
  return {.kind = ErrorKind::auth, .detail = "the function of Credential::callback gave an empty key"};
}

class AskedEachTime final : public Credential {
 public:
  explicit AskedEachTime(std::unique_ptr<Source<Secret>> source) : source_(std::move(source)) {}

  Prepared prepare(HttpRequest& request, Instant) override {
    auto key = source_->ask();
    if (!key) return key.error();
    if (key->empty()) return nothing_given();
    put_bearer(request, key->reveal());
    remember(*std::move(key));
    return Ready{};
  }
  bool refused(std::uint64_t) override { return true; }
  void conceal(std::string& text) override {
    const std::lock_guard lock(mutex_);
    for (const auto& key : given_) protocol::conceal(text, key.reveal());
  }

 private:
  // A call conceals its own key itself. These are those of other calls, which a service may repeat too: few,
  // since every text of an error is searched for each of them.
  static constexpr std::size_t most_remembered = 8;

  void remember(Secret key) {
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find(given_, key.reveal(), &Secret::reveal);
    if (known != given_.end()) {
      std::rotate(known, known + 1, given_.end());
      return;
    }
    if (given_.size() == most_remembered) given_.pop_front();
    given_.push_back(std::move(key));
  }

  std::unique_ptr<Source<Secret>> source_;
  std::mutex mutex_;          // guards the members below
  std::deque<Secret> given_;  // the most recently used key is at the end
};

class AskedWhenNeeded final : public GrantSource {
 public:
  explicit AskedWhenNeeded(std::unique_ptr<Source<AccessToken>> source) : source_(std::move(source)) {}

  Step next(Instant) override {
    auto token = source_->ask();
    if (!token) return std::move(token).error();
    if (token->text.empty()) return nothing_given();
    return Grant{Credential::bearer(std::move(token->text)), token->expires_at};
  }

 private:
  std::unique_ptr<Source<AccessToken>> source_;
};

}  // namespace

std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<Secret>> source) {
  return std::make_shared<AskedEachTime>(std::move(source));
}

std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<AccessToken>> source) {
  return Credential::refreshing(std::make_unique<AskedWhenNeeded>(std::move(source)));
}

}  // namespace inferwire::inline v0_1::detail
