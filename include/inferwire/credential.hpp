/// \file
/// How a request is authenticated.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/credential_options.hpp"
#include "inferwire/duration.hpp"
#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/transport.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

/// A point in time by both clocks: the steady clock for lifetimes, the wall clock for dates from servers.
struct Instant {
  TimePoint steady{};
  std::chrono::system_clock::time_point wall{};
};

/// A bearer token, and how long it is valid.
struct AccessToken {
  Secret text{};
  /// Absent: until a server refuses it.
  Optional<std::chrono::system_clock::time_point> expires_at{};
};

struct AuthRow;
struct AuthInputs;
class GrantSource;

/// Authenticates requests. Does no I/O itself: when it needs a token, it returns the request that fetches it,
/// which the client sends as an ordinary exchange under the call's deadline and cancellation. Safe from any
/// thread.
class INFERWIRE_API Credential {
 public:
  /// The request is complete and may be sent.
  struct Ready {
    /// The version of the token that was used, if the credential renews its token; passed to `refused`.
    std::uint64_t version{};
    /// Why the token could not be renewed early, for a warning in the log: the previous one was used, which
    /// is still valid. Usually absent.
    std::shared_ptr<const Error> failed_renewal{};
  };
  /// This request has to be sent first. Its answer is passed to `accept`, or the reason why there is none to
  /// `failed`; then `prepare` is called again.
  struct Fetch {
    HttpRequest request{};
    /// The longest that one attempt may take, if the client's own timeouts allow more. (Of the call's
    /// timeouts, only `overall` applies, since other calls may wait for the same token.)
    Duration limit{std::chrono::seconds(30)};
    /// Whether it is retried by the client's policy; false for probing an address where there may be no
    /// service.
    bool retry{true};
    /// While this lives, other calls, of any client, wait for the same token. Released when the exchange is
    /// over, however it ended.
    std::shared_ptr<void> lease{};
  };
  /// This program has to be run first, without a shell. Its exit status and output are passed to `accept`, or
  /// the reason why it could not be run to `failed`.
  struct Run {
    std::vector<std::string> command{};  ///< the program, looked up in PATH, and its arguments
    Duration limit{std::chrono::seconds(30)};
    std::shared_ptr<void> lease{};  ///< see Fetch::lease
  };
  /// Another call is fetching what this one needs: `prepare` is called again when `over` is cancelled.
  struct Wait {
    CancelToken over{};
    /// Whether that call belongs to the calling thread: a call that blocks the thread is Error{config} then.
    /// If it is left out, such a call waits until its deadline.
    bool on_this_thread{};
  };
  using Prepared = std::variant<Ready, Fetch, Run, Wait, Error>;

  virtual ~Credential();

  /// Adds the authentication to `request`. Called for each attempt, each time with the request as it was
  /// before the first attempt. Errors: auth, config, unsupported; a failed fetch is reported here too.
  virtual Prepared prepare(HttpRequest& request, Instant now) = 0;
  /// Takes the answer to a Fetch, whatever its status, or the output of a Run, whose status is the exit
  /// status.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  /// Called if a Fetch or a Run gave no answer.
  virtual void failed(const Error& why, Instant now);
  /// Called if the server refused the token of this version. Returns whether calling `prepare` again could
  /// help: a newer token is available or can be fetched.
  virtual bool refused(std::uint64_t version);
  /// Replaces every secret of this credential in `text` by "***", since a server may echo what it was sent.
  virtual void conceal(std::string& text);

  /// Called by a client before its first call, with defaults for what the credential's own options may leave
  /// open: the provider's row (the region), the base URL (the workspace) and where environment variables and
  /// files are looked up. If several clients share a credential, those of the first client are used. Does
  /// nothing by default.
  virtual void offer(const AuthRow& row, const AuthInputs& known);
  /// The base URL of the service, if this credential's configuration has one; else `usual`, which may be
  /// empty. May read files. Errors: config.
  virtual Result<std::string> base_url(const std::string& usual);
  /// Reports what this credential was made from. May read files, but sends no request.
  virtual AuthReport describe();

  /// Sends `Authorization: Bearer <key>`. An empty key is Error{auth} when a request is sent.
  static std::shared_ptr<Credential> bearer(Secret key);
  /// Sends `Authorization: Basic <base64 of user:password>`; Databricks accepts the user "token" with a
  /// personal access token.
  static std::shared_ptr<Credential> basic(std::string user, Secret password);
  /// Sends `<name>: <key>`, for services that expect the key in a header of its own, such as Azure OpenAI's
  /// "api-key". A header of the same name that the client's or the call's options set is sent instead. Errors
  /// when a request is sent: auth (the key is empty), config (`name` is not a valid header name, or the key
  /// has bytes that a header must not have).
  static std::shared_ptr<Credential> header(std::string name, Secret key);
  /// Uses one of Databricks' authentication methods, chosen by Databricks' own rules: see DatabricksOptions.
  /// The first call looks up what is not given; the result is kept for this credential's lifetime. Errors
  /// when a request is sent: config (a file or host that cannot be read, a missing profile, two methods at
  /// once), auth (no method; the error lists what was set and tried), unsupported.
  static std::shared_ptr<Credential> databricks(DatabricksOptions options = {});
  /// Signs with AWS Signature Version 4: the body, the path and the headers Host, Content-Type, X-Amz-* and
  /// X-Amzn-* of each request, except X-Amzn-Trace-Id, which proxies change. The first call looks up the
  /// keys: see SigV4Options. Errors when a request is sent: auth (no keys), config (no region, a missing
  /// profile), unsupported (this build cannot sign, see the CMake option INFERWIRE_SIGV4; or a profile with a
  /// role that needs another profile's keys).
  static std::shared_ptr<Credential> sigv4(SigV4Options options = {});
  /// Adds nothing to the request.
  static std::shared_ptr<Credential> none();
  /// Makes a Credential from a function: `function()` is called for a bearer token. If it returns a Secret or
  /// Result<Secret>, it is called before every attempt, by several threads at a time. If it returns an
  /// AccessToken or Result<AccessToken>, it is called by one call at a time: when there is no token yet, the
  /// last one is about to expire, or the server refused it. It runs on the threads that make the calls,
  /// without a lock. A blocking call made by it on the same thread that needs the same token is Error{auth}.
  /// It must not wait for other calls that need this token, asynchronous ones or those of another thread:
  /// they wait for it, until their own deadlines. Its errors become the errors of the calls; an exception, or
  /// an empty token, becomes Error{auth}.
  ///
  ///     Credential::callback([]() -> Result<Secret> { return read_my_vault("serving-key"); })
  template <class Function>
  static std::shared_ptr<Credential> callback(Function function);
  /// Keeps each Grant of `source` as long as it is valid. One call at a time, of any client, fetches it;
  /// other calls wait, each no longer than its own deadline. If the fetch fails, every call that waited gets
  /// the error, and so do calls made within a second.
  ///
  /// After half its lifetime, but at most 20 minutes before its expiry, one call fetches a new grant while
  /// the others continue to use the old one. This is tried once, for at most ten seconds; a failure is only a
  /// warning in the client's log, and not retried for a minute. A grant counts as expired shortly before its
  /// expiry (40 seconds, at most a quarter of its lifetime). Expiry is measured by the clock on which more
  /// time has passed, so a suspended machine or a clock set back cannot keep an expired token in use.
  static std::shared_ptr<Credential> refreshing(std::unique_ptr<GrantSource> source);

 protected:
  static void put_bearer(HttpRequest& request, std::string_view token);
};

/// A credential that is valid for a limited time. It is ready at once: it neither fetches nor runs anything.
struct Grant {
  std::shared_ptr<Credential> credential{};
  /// Absent: until a server refuses it.
  Optional<std::chrono::system_clock::time_point> expires_at{};
};

/// Obtains grants, step by step, for `Credential::refreshing`. Does no I/O itself. Used by one thread at a
/// time.
class INFERWIRE_API GrantSource {
 public:
  using Step = std::variant<Grant, Credential::Fetch, Credential::Run, Error>;

  virtual ~GrantSource();

  /// The next step; the same step again if the previous one was abandoned. After a grant or an error it
  /// starts over.
  virtual Step next(Instant now) = 0;
  /// Takes the answer to a Fetch, as Credential::accept does.
  virtual void accept(const ResponseHead& head, std::string_view body, Instant now);
  /// Called if a Fetch or a Run gave no answer, as Credential::failed is.
  virtual void failed(const Error& why, Instant now);
};

namespace detail {

/// A function without parameters that returns a T or a Result<T>.
template <class Function, class T>
concept Gives = std::invocable<Function&> && (std::same_as<std::invoke_result_t<Function&>, T> ||
                                              std::same_as<std::invoke_result_t<Function&>, Result<T>>);

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
INFERWIRE_API std::shared_ptr<Credential> credential_from(std::unique_ptr<Source<AccessToken>> source);

}  // namespace detail

template <class Function>
std::shared_ptr<Credential> Credential::callback(Function function) {
  constexpr bool gives_key = detail::Gives<Function, Secret>;
  constexpr bool gives = gives_key || detail::Gives<Function, AccessToken>;
  static_assert(gives,
                "the function of a credential takes nothing, and returns a Result<Secret> or a "
                "Result<AccessToken>, or one of the two without Result");
  if constexpr (gives) {  // otherwise that is said alone
    using T = std::conditional_t<gives_key, Secret, AccessToken>;
    std::unique_ptr<detail::Source<T>> source =
        std::make_unique<detail::FunctionSource<T, Function>>(std::move(function));
    return detail::credential_from(std::move(source));
  }
}

}  // namespace inferwire::inline v0_1
