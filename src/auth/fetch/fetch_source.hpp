/// \file
/// What sources that ask a server have in common: one request after the other, until one brings a grant, and
/// none to a place that secrets must not travel to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inferwire/credential.hpp"

namespace inferwire::inline v0_1::auth {

class FetchSource : public GrantSource {
 public:
  Step next(Instant now) final;
  void accept(const ResponseHead& head, std::string_view body, Instant now) final;
  void failed(const Error& why, Instant now) final;

 protected:
  /// What came of a request; nothing: another one follows.
  using Outcome = std::optional<Result<Grant>>;

  /// The next request.
  virtual Result<Credential::Fetch> request(Instant now) = 0;
  virtual Outcome read(const ResponseHead& head, std::string_view body, Instant now) = 0;
  /// There was no answer. By default that is the error, told as one of a token that was to be fetched.
  virtual Outcome lost(const Error& why);
  /// The grant or the error has been given: the next request is the first.
  virtual void restart() {}
  /// What the requests prove themselves by; a service that repeats it in its refusal is not quoted so.
  virtual const Secret& secret() const = 0;

 private:
  void conceal(std::string& text) const;

  Outcome outcome_{};
  std::vector<Header> sent_{};  ///< headers of the last request: a refusal may repeat them, too
};

}  // namespace inferwire::inline v0_1::auth
