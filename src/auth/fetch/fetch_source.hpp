/// \file
/// Base of sources that ask a server: they send one request after another until one yields a grant, and none
/// to a URL to which secrets must not be sent.
#pragma once

#include "inferwire/credential.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::auth {

class FetchSource : public GrantSource {
 public:
  Step next(Instant now) final;
  void accept(const ResponseHead& head, std::string_view body, Instant now) final;
  void failed(const Error& why, Instant now) final;

 protected:
  /// The result of a request; nothing: another request follows.
  using Outcome = std::optional<Result<Grant>>;

  /// The next request.
  virtual Result<Credential::Fetch> request(Instant now) = 0;
  virtual Outcome read(const ResponseHead& head, std::string_view body, Instant now) = 0;
  /// Called if there was no answer. By default the error is returned, as one of fetching a token.
  virtual Outcome lost(const Error& why);
  /// Called after the grant or the error was returned: starts again with the first request.
  virtual void restart() {}
  /// The secret in the URL, the body or an encoded header of the requests, which is removed from quoted
  /// refusals. By default there is none; secret headers are removed in any case.
  virtual std::string_view secret() const { return {}; }

 private:
  void conceal(std::string& text) const;

  Outcome outcome_{};
  std::vector<Header> sent_{};  ///< headers of the last request, which a refusal may also repeat
};

}  // namespace inferwire::inline v0_1::auth
