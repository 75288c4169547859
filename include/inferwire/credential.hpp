/// \file
/// How a request proves who sends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "inferwire/export.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

/// The keys that sign requests for AWS, and what the signatures count for.
struct SigV4Options {
  /// Empty: this and the two below come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
  std::string access_key_id{};
  Secret secret_access_key{};
  Secret session_token{};  ///< of temporary keys
  std::string region{};    ///< "eu-west-1"; empty: AWS_REGION, then AWS_DEFAULT_REGION
  std::string service{"sagemaker"};
};

/// Proves who sends a request. Does no I/O of its own: when it needs a token it says which request fetches
/// it, and the client runs that as an ordinary exchange under the call's deadline and cancellation. Safe from
/// any thread.
class INFERWIRE_API Credential {
 public:
  /// The request is complete and may be sent.
  struct Ready {
    /// Which token went in, for credentials that change theirs: `refused` is told.
    std::uint64_t version{};
  };
  /// This request has to be made first; its answer goes to `accept`, then `prepare` is asked again, of the
  /// request as it was. A client makes one such request at a time; its other calls wait for it.
  struct Fetch {
    HttpRequest request{};
    /// The token at hand is still good, and `prepare` has completed the request with it: a call that finds
    /// another one fetching, or whose own fetch fails, is sent so.
    std::optional<Ready> meanwhile{};
  };
  using Prepared = std::variant<Ready, Fetch, Error>;

  virtual ~Credential();

  /// Adds to `request` what proves the sender. `now` is wall-clock time. Errors: auth, config.
  virtual Prepared prepare(HttpRequest& request, std::chrono::system_clock::time_point now) = 0;
  /// Takes the answer to a Fetch, the last one when it was tried again. Status 0: there was none, and `body`
  /// says why. Errors: auth.
  virtual Result<void> accept(int status, std::string_view body, std::chrono::system_clock::time_point now);
  /// The server refused the token of this version. Returns whether asking `prepare` again could help: a newer
  /// one is at hand, or can be fetched.
  virtual bool refused(std::uint64_t /*version*/) { return false; }

  /// `Authorization: Bearer <key>`.
  static std::shared_ptr<Credential> bearer(Secret key);
  /// `Authorization: Basic <base64 of user:password>`; Databricks takes user "token" with a personal access
  /// token.
  static std::shared_ptr<Credential> basic(std::string user, Secret password);
  /// AWS Signature Version 4: signs the body, the path and the headers Host, Content-Type, X-Amz-* and
  /// X-Amzn-* of each request. The environment is read now. Errors when a request is sent: auth (no keys),
  /// config (no region), unsupported (this build cannot sign; see the CMake option INFERWIRE_SIGV4).
  static std::shared_ptr<Credential> sigv4(SigV4Options options = {});
  /// Sends nothing.
  static std::shared_ptr<Credential> none();
};

}  // namespace inferwire::inline v0_1
