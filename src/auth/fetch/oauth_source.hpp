/// \file
/// Tokens from an OAuth server (RFC 6749, RFC 8693), located by its metadata (RFC 8414).
#pragma once

#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1::auth {

/// The URLs of an OAuth server.
struct OAuthServer {
  /// The URL of its metadata, which names the token endpoint; empty: `token_url` is known.
  std::string metadata_url{};
  /// The token endpoint if there is no metadata; empty: that is an error.
  std::string token_url{};
};

/// The client's own id and secret, sent as HTTP Basic (grant type client_credentials).
struct ClientSecret {
  std::string client_id{};
  Secret client_secret{};
  std::string scope{};
};

/// A token of a third party trusted by the server, exchanged for one of the server's (grant type
/// token-exchange). It is read again for each exchange: such tokens are valid for minutes.
struct SubjectToken {
  std::string variable{};  ///< the environment variable that holds it
  std::string file{};      ///< the file that holds it
  std::shared_ptr<Environment> environment{};
  std::string client_id{};  ///< empty: the token alone identifies the client
  std::string scope{};
};

std::unique_ptr<GrantSource> oauth_source(OAuthServer server, ClientSecret secret);
std::unique_ptr<GrantSource> oauth_source(OAuthServer server, SubjectToken token);

}  // namespace inferwire::inline v0_1::auth
