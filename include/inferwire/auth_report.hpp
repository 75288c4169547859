/// \file
/// How a client authenticates, without secrets.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/optional.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// The result of `Client::describe_auth`: how calls authenticate, and where the settings come from.
struct AuthReport {
  /// An option that was set.
  struct Setting {
    std::string name{};    ///< the name in configuration files: "host", "token", "aws_access_key_id"
    std::string value{};   ///< "***" if it is secret
    std::string source{};  ///< "argument", "env DATABRICKS_TOKEN", "file ~/.databrickscfg [abc]"
  };
  /// A method that was not used.
  struct Rejected {
    std::string method{};
    std::string reason{};  ///< "no token"
  };

  std::string provider{};
  std::string base_url{};  ///< empty if none is known
  /// "pat", "oauth-m2m", "sigv4", "bearer", ...; "credential" for another ClientOptions::credential, "none"
  /// if no key is needed; "the caller's own Authorization header" if ClientOptions::headers or the
  /// environment's headers have one; empty if there is none.
  std::string method{};
  std::vector<Setting> settings{};
  std::vector<Rejected> rejected{};
  /// Things that may be unexpected: a file that was not read, a path that was dropped.
  std::vector<std::string> notes{};
  /// Why calls cannot be made. A credential of your own is taken to send a key, which may not go over plain
  /// http to another machine.
  Optional<Error> problem{};
};

}  // namespace inferwire::inline v0_1
