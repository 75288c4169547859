/// \file
/// How a request proves who sends it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <variant>

#include "inferwire/export.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

/// Proves who sends a request. Does no I/O of its own: when it needs a token it says which request fetches
/// it, and the client runs that as an ordinary exchange under the call's deadline and cancellation. Safe from
/// any thread.
class INFERWIRE_API Credential {
 public:
  /// The request is complete and may be sent.
  struct Ready {};
  /// This request has to be made first; its answer goes to `accept`, then `prepare` is asked again.
  struct Fetch {
    HttpRequest request{};
  };
  using Prepared = std::variant<Ready, Fetch, Error>;

  virtual ~Credential();

  /// Adds to `request` what proves the sender. `now` is wall-clock time. Errors: auth, config.
  virtual Prepared prepare(HttpRequest& request, std::chrono::system_clock::time_point now) = 0;
  /// Takes the answer to a Fetch. Errors: auth.
  virtual Result<void> accept(int status, std::string_view body, std::chrono::system_clock::time_point now);
  /// The server refused what `prepare` added. Returns whether asking `prepare` again could help.
  virtual bool refused() { return false; }

  /// `Authorization: Bearer <key>`.
  static std::shared_ptr<Credential> bearer(Secret key);
  /// `Authorization: Basic <base64 of user:password>`; Databricks takes user "token" with a personal access
  /// token.
  static std::shared_ptr<Credential> basic(std::string user, Secret password);
  /// Sends nothing.
  static std::shared_ptr<Credential> none();
};

}  // namespace inferwire::inline v0_1
