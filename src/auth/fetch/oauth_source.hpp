/// \file
/// Tokens from an OAuth server (RFC 6749, RFC 8693), found by its metadata (RFC 8414).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

namespace inferwire::inline v0_1::auth {

/// The places at which an OAuth server takes requests.
struct OAuthServer {
  /// The URL of its metadata, which names the token endpoint; empty: `token_url` is known.
  std::string metadata_url{};
  /// What is asked when there is no metadata; empty: that is an error.
  std::string token_url{};
};

/// The client's own name and secret, sent as HTTP Basic (grant type client_credentials).
struct ClientSecret {
  std::string client_id{};
  Secret client_secret{};
  std::string scope{};
};

/// A token of somebody else's, which the server trusts, for one of its own (grant type token-exchange). It is
/// read anew for each exchange: such tokens live for minutes.
struct SubjectToken {
  std::string variable{};  ///< the environment variable that holds it
  std::string file{};      ///< the file that holds it
  std::shared_ptr<Environment> environment{};
  std::string client_id{};  ///< empty: the server knows by the token alone
  std::string scope{};
};

std::unique_ptr<GrantSource> oauth_source(OAuthServer server, ClientSecret secret);
std::unique_ptr<GrantSource> oauth_source(OAuthServer server, SubjectToken token);

/// `name=value&...`, escaped for a body of type application/x-www-form-urlencoded.
using Form = std::vector<std::pair<std::string_view, std::string_view>>;
std::string form_encode(const Form& form);
/// A request that posts a form and wants JSON.
HttpRequest post_form(std::string url, const Form& form);

}  // namespace inferwire::inline v0_1::auth
