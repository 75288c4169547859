/// \file
/// How a request proves who sends it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inferwire/cancel.hpp"
#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/timeouts.hpp"
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

/// A moment by both clocks: lifetimes are counted by the steady one, dates of servers by the wall's.
struct Instant {
  TimePoint steady{};
  std::chrono::system_clock::time_point wall{};
};

/// Proves who sends a request. Does no I/O of its own: when it needs a token it says which request fetches
/// it, and the client runs that as an ordinary exchange under the call's deadline and cancellation. Safe from
/// any thread.
class INFERWIRE_API Credential {
 public:
  /// The request is complete and may be sent.
  struct Ready {
    /// Which token went in, of a credential that changes its own: `refused` is told.
    std::uint64_t version{};
  };
  /// This request has to be made first. `accept` is told its answer, or `failed` why there is none; then
  /// `prepare` is asked again.
  struct Fetch {
    HttpRequest request{};
    /// The longest it may take, where the call's own timeouts allow more.
    Duration limit{std::chrono::seconds(30)};
    /// Whether it is tried again as the call's own request is; off for a look at a place where there may be
    /// nobody.
    bool retry{true};
    /// For as long as this lives, other calls wait for the same token, whichever client they are of. Let go
    /// of when the exchange is over, however it ended.
    std::shared_ptr<void> lease{};
  };
  /// This program has to be run first, without a shell. `accept` is told its exit status and what it wrote,
  /// or `failed` why it could not be run.
  struct Run {
    std::vector<std::string> command{};  ///< the program, looked up in PATH, and its arguments
    Duration limit{std::chrono::seconds(30)};
    std::shared_ptr<void> lease{};  ///< as a Fetch has it
  };
  /// Another call is fetching what this one needs: `prepare` is asked again when `over` fires.
  struct Wait {
    CancelToken over{};
  };
  using Prepared = std::variant<Ready, Fetch, Run, Wait, Error>;

  virtual ~Credential();

  /// Adds to `request` what proves the sender. Asked anew for each attempt, with the request as it was before
  /// the first. Errors: auth, config, unsupported; what went wrong with a fetch shows here.
  virtual Prepared prepare(HttpRequest& request, Instant now) = 0;
  /// Takes the answer to a Fetch, of whatever status; of a Run the status is the exit status.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  /// A Fetch or a Run brought no answer.
  virtual void failed(const Error& why, Instant now);
  /// The server refused the token of this version. Returns whether asking `prepare` again could help: a newer
  /// one is at hand, or can be fetched.
  virtual bool refused(std::uint64_t version);

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
