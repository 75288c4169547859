/// \file
/// Fetches tokens, for Credential::refreshing.
#pragma once

#include "inferwire/credential.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire_test {

/// Fetches tokens from a URL: the body of an answer is the token, which is valid until it is refused.
class TokenSource final : public inferwire::GrantSource {
 public:
  explicit TokenSource(std::string url) : url_(std::move(url)) {}

  Step next(inferwire::Instant) override {
    if (failure_) return *std::exchange(failure_, std::nullopt);
    if (token_.empty()) return inferwire::Credential::Fetch{.request = {.method = "GET", .url = url_}};
    return inferwire::Grant{.credential = inferwire::Credential::bearer(std::exchange(token_, {}))};
  }
  void accept(const inferwire::ResponseHead&, std::string_view body, inferwire::Instant) override {
    token_ = body;
  }
  void failed(const inferwire::Error& why, inferwire::Instant) override { failure_ = why; }

 private:
  std::string url_;
  std::string token_;
  std::optional<inferwire::Error> failure_;
};

}  // namespace inferwire_test
