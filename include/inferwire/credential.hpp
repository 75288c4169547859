/// \file
/// How a request proves who sends it.
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

/// A moment by both clocks: lifetimes are counted by the steady one, dates of servers by the wall's.
struct Instant {
  TimePoint steady{};
  std::chrono::system_clock::time_point wall{};
};

/// A bearer token, and how long it counts.
struct Token {
  Secret text{};
  /// Absent: until a server refuses it.
  Optional<std::chrono::system_clock::time_point> expires_at{};
};

struct AuthRow;
struct AuthInputs;
class GrantSource;

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
    /// The longest one attempt may take, where the client's own timeouts allow more. (Those of the call count
    /// only as far as `overall`: other calls may wait for the same token.)
    Duration limit{std::chrono::seconds(30)};
    /// Whether it is tried again as the client's policy has it; off for a look at a place where there may be
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
  /// Writes "***" over every secret of this credential in a text: a server may repeat what it was sent.
  virtual void conceal(std::string& text);

  /// A client that was given this credential tells it, before its first call, what it knows of what the
  /// credential's own options may leave open: the provider's row (the region), its base URL (the workspace)
  /// and where variables and files are looked up. Of several clients the first one counts. Does nothing by
  /// default.
  virtual void offer(const AuthRow& row, const AuthInputs& known);
  /// Where the service is, as far as this credential's configuration says; else `usual`, which may be empty.
  /// May read files. Errors: config.
  virtual Result<std::string> base_url(const std::string& usual);
  /// What this credential was made of. May read files, asks nobody.
  virtual AuthReport describe();

  /// `Authorization: Bearer <key>`.
  static std::shared_ptr<Credential> bearer(Secret key);
  /// `Authorization: Basic <base64 of user:password>`; Databricks takes user "token" with a personal access
  /// token.
  static std::shared_ptr<Credential> basic(std::string user, Secret password);
  /// `<name>: <key>`, for services that want the key in a header of its own: Azure OpenAI's "api-key". Error
  /// when a request is sent: config (the name is not a token, or the key has bytes that no header may have).
  static std::shared_ptr<Credential> header(std::string name, Secret key);
  /// The ways to authenticate at Databricks, by its own rules: see DatabricksOptions. The first call looks
  /// for what is not given; what it finds holds for this credential's life. Errors when a request is sent:
  /// config (a file or host that cannot be read, a profile that is not there, two ways at once), auth (no
  /// way, listing what was set and tried), unsupported.
  static std::shared_ptr<Credential> databricks(DatabricksOptions options = {});
  /// AWS Signature Version 4: signs the body, the path and the headers Host, Content-Type, X-Amz-* and
  /// X-Amzn-* of each request. Where the keys come from: see SigV4Options. The first call looks for them.
  /// Errors when a request is sent: auth (no keys), config (no region, a profile that is not there),
  /// unsupported (this build cannot sign, see the CMake option INFERWIRE_SIGV4; a role that needs another
  /// profile's keys).
  static std::shared_ptr<Credential> sigv4(SigV4Options options = {});
  /// Adds nothing.
  static std::shared_ptr<Credential> none();
  /// Asks `function()` for a bearer token. One that returns Result<Secret> is asked before every attempt, by
  /// several threads at a time. One that returns Result<Token> is asked by one call at a time, when there is
  /// no token yet, the last one is about to expire, or the server refused it. Its errors are the calls'
  /// errors; it runs on the threads that call, under no lock. One that throws is Error{auth}.
  ///
  ///     Credential::callback([]() -> Result<Secret> { return read_my_vault("serving-key"); })
  template <class Function>
  static std::shared_ptr<Credential> callback(Function function);
  /// Keeps what `source` grants for as long as it counts. It is fetched by one call at a time, of whichever
  /// client; other calls wait for it, each no longer than its own deadline. From half its life on, but not
  /// earlier than 20 minutes before its end, a new one is fetched by one call while the others go on with the
  /// old one; that is tried once, for ten seconds at most, and a failure then is nobody's error and holds for
  /// a minute. Shortly before the end (40 seconds, at most a quarter of its life) it counts as expired. Time
  /// is what either clock says has passed, so that neither a machine that slept nor a clock that was set back
  /// keeps a dead token alive. The error of a fetch goes to every call that waited, and to those that come
  /// within a second.
  static std::shared_ptr<Credential> refreshing(std::unique_ptr<GrantSource> source);

 protected:
  static void put_bearer(HttpRequest& request, std::string_view token);
};

/// A credential that counts for a while. It is ready at once: it neither fetches nor runs anything.
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

  /// The step to take at this point: the same again when the one before was given up. After a grant or an
  /// error it begins anew.
  virtual Step next(Instant now) = 0;
  /// As of a Credential.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  virtual void failed(const Error& why, Instant now);
};

namespace detail {

/// A function that is asked for a T.
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
