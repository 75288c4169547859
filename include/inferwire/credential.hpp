/// \file
/// How a request is authenticated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inferwire/cancel.hpp"
#include "inferwire/credential_options.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1 {

/// A moment by both clocks: the steady one for lifetimes, the wall clock for dates from servers.
struct Instant {
  TimePoint steady{};
  std::chrono::system_clock::time_point wall{};
};

/// A bearer token, and how long it is valid.
struct Token {
  Secret text{};
  /// Absent: until a server refuses it.
  Optional<std::chrono::system_clock::time_point> expires_at{};
};

struct AuthRow;
struct AuthInputs;
class GrantSource;

/// Authenticates requests. Does no I/O of its own: when it needs a token it returns the request that fetches
/// it, and the client runs that as an ordinary exchange under the call's deadline and cancellation. Safe from
/// any thread.
class INFERWIRE_API Credential {
 public:
  /// The request is complete and may be sent.
  struct Ready {
    /// The number of the token that was used, if the credential changes its own; passed to `refused`.
    std::uint64_t version{};
  };
  /// This request has to be made first. Its answer is passed to `accept`, or the reason why there is none to
  /// `failed`; then `prepare` is called again.
  struct Fetch {
    HttpRequest request{};
    /// How long one attempt may take at most, if the client's own timeouts allow more. (Of the call's
    /// timeouts only `overall` applies: other calls may wait for the same token.)
    Duration limit{std::chrono::seconds(30)};
    /// Whether it is retried by the client's policy; off for probing an address where there may be no
    /// service.
    bool retry{true};
    /// While this lives, other calls wait for the same token, of whichever client. Released when the
    /// exchange is over, however it ended.
    std::shared_ptr<void> lease{};
  };
  /// This program has to be run first, without a shell. Its exit status and output are passed to `accept`, or
  /// the reason why it could not be run to `failed`.
  struct Run {
    std::vector<std::string> command{};  ///< the program, looked up in PATH, and its arguments
    Duration limit{std::chrono::seconds(30)};
    std::shared_ptr<void> lease{};  ///< what Fetch::lease is
  };
  /// Another call is fetching what this one needs: `prepare` is called again when `over` fires.
  struct Wait {
    CancelToken over{};
  };
  using Prepared = std::variant<Ready, Fetch, Run, Wait, Error>;

  virtual ~Credential();

  /// Adds the authentication to `request`. Called for each attempt, with the request as it was before the
  /// first. Errors: auth, config, unsupported; failures of a fetch are reported here.
  virtual Prepared prepare(HttpRequest& request, Instant now) = 0;
  /// Takes the answer to a Fetch, of whatever status; of a Run the status is the exit status.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  /// A Fetch or a Run gave no answer.
  virtual void failed(const Error& why, Instant now);
  /// The server refused the token of this version. Returns whether calling `prepare` again could help: a
  /// newer one is available, or can be fetched.
  virtual bool refused(std::uint64_t version);
  /// Writes "***" over every secret of this credential in a text, since a server may echo what it was sent.
  virtual void conceal(std::string& text);

  /// Called by a client before its first call, with what the credential's own options may leave open: the
  /// provider's row (the region), the base URL (the workspace) and where variables and files are looked up.
  /// If several clients share a credential, the first one counts. Does nothing by default.
  virtual void offer(const AuthRow& row, const AuthInputs& known);
  /// The address of the service, if this credential's configuration has one; else `usual`, which may be
  /// empty. May read files. Errors: config.
  virtual Result<std::string> base_url(const std::string& usual);
  /// What this credential was made from. May read files; contacts nobody.
  virtual AuthReport describe();

  /// `Authorization: Bearer <key>`. An empty key is Error{auth} when a request is sent.
  static std::shared_ptr<Credential> bearer(Secret key);
  /// `Authorization: Basic <base64 of user:password>`; Databricks takes user "token" with a personal access
  /// token.
  static std::shared_ptr<Credential> basic(std::string user, Secret password);
  /// `<name>: <key>`, for services that want the key in a header of its own: Azure OpenAI's "api-key". Errors
  /// when a request is sent: auth (the key is empty), config (the name is not a token, or the key has bytes
  /// that no header may have).
  static std::shared_ptr<Credential> header(std::string name, Secret key);
  /// The methods of authenticating at Databricks, by its own rules: see DatabricksOptions. The first call
  /// looks up what is not given; the result holds for this credential's lifetime. Errors when a request is
  /// sent: config (a file or host that cannot be read, a missing profile, two methods at once), auth (no
  /// method, listing what was set and tried), unsupported.
  static std::shared_ptr<Credential> databricks(DatabricksOptions options = {});
  /// AWS Signature Version 4: signs the body, the path and the headers Host, Content-Type, X-Amz-* and
  /// X-Amzn-* of each request. Where the keys come from: see SigV4Options. The first call looks for them.
  /// Errors when a request is sent: auth (no keys), config (no region, a missing profile), unsupported (this
  /// build cannot sign, see the CMake option INFERWIRE_SIGV4; a role that needs another profile's keys).
  static std::shared_ptr<Credential> sigv4(SigV4Options options = {});
  /// Adds nothing.
  static std::shared_ptr<Credential> none();
  /// Calls `function()` for a bearer token. If it returns Result<Secret>, it is called before every attempt,
  /// by several threads at a time. If it returns Result<Token>, it is called by one call at a time: when
  /// there is no token yet, the last one is about to expire, or the server refused it. Its errors become the
  /// calls' errors; it runs on the threads that make the calls, under no lock. An exception becomes
  /// Error{auth}, and so does an empty text.
  ///
  ///     Credential::callback([]() -> Result<Secret> { return read_my_vault("serving-key"); })
  template <class Function>
  static std::shared_ptr<Credential> callback(Function function);
  /// Keeps what `source` grants for as long as it is valid. It is fetched by one call at a time, of whichever
  /// client; other calls wait for it, each no longer than its own deadline. After half its lifetime, but at
  /// most 20 minutes before its expiry, one call fetches a new one while the others go on with the old one.
  /// That is tried once, for ten seconds at most; a failure is reported to nobody, and not retried for a
  /// minute. Shortly before its expiry (40 seconds, at most a quarter of its lifetime) it counts as expired.
  /// Expiry uses whichever clock shows more elapsed time, so a suspended machine or a clock set back cannot
  /// keep an expired token alive. The error of a fetch is given to every call that waited, and to those made
  /// within a second.
  static std::shared_ptr<Credential> refreshing(std::unique_ptr<GrantSource> source);

 protected:
  static void put_bearer(HttpRequest& request, std::string_view token);
};

/// A credential that is valid for a while. It is ready at once: it neither fetches nor runs anything.
struct Grant {
  std::shared_ptr<Credential> credential{};
  /// Absent: until a server refuses it.
  Optional<std::chrono::system_clock::time_point> expires_at{};
};

/// Obtains grants, step by step, for `Credential::refreshing`. Does no I/O of its own. Used by one thread at
/// a time.
class INFERWIRE_API GrantSource {
 public:
  using Step = std::variant<Grant, Credential::Fetch, Credential::Run, Error>;

  virtual ~GrantSource();

  /// The step to take now; the same again if the previous one was given up. After a grant or an error it
  /// starts over.
  virtual Step next(Instant now) = 0;
  /// Takes the answer to a Fetch, as Credential::accept does.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  virtual void failed(const Error& why, Instant now);
};

namespace detail {

/// A function that supplies a T.
template <class T>
class Source {
 public:
  virtual ~Source() = default;
  virtual Result<T> ask() = 0;
};

template <class T, class Function>
class FunctionSource final : public Source<T> {
 public:
  explicit FunctionSource(Function function) : function_(std::move(function)) {}
  Result<T> ask() override { return function_(); }

 private:
  Function function_;
};

INFERWIRE_API std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<Secret>> source);
INFERWIRE_API std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<Token>> source);

}  // namespace detail

template <class Function>
std::shared_ptr<Credential> Credential::callback(Function function) {
  using T = typename decltype(function())::value_type;
  std::unique_ptr<detail::Source<T>> source =
      std::make_unique<detail::FunctionSource<T, Function>>(std::move(function));
  return detail::credential_from(std::move(source));
}

}  // namespace inferwire::inline v0_1
