/// \file
/// Observing calls, for tracing, metrics and logs.
///
/// An Observer gives each call a CallObserver of its own, whose functions are called in this order: for each
/// attempt `on_attempt`, and `on_answer` when an answer begins; `on_retry` between attempts; `on_element` for
/// each element of a stream; `on_finish` last, however the call ended. All of them are called on the thread
/// that makes the call. Nothing that they are passed holds a secret (see Visibility); views and references
/// are valid until the function returns. Not observed are calls rejected because of the client's options or
/// their request, and token fetches. A call that is never sent because of its timeouts, policy or credential
/// is observed, with CallEnd::attempts == 0. A client without an observer has no overhead.
///
/// A stream that its reader leaves after the last element of the answer (the end of a response, a finish
/// reason for every choice) is not cancelled: CallEnd::error is nullptr, or why the answer failed. Of a raw
/// stream only the end of the body, or `[DONE]` after it, tells which element was the last. An asynchronous
/// stream that is cancelled while nobody reads it ends at once, on the loop's thread, even if its handle is
/// kept; while its listener runs on an executor, when that has returned.
#pragma once

#include "inferwire/error.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1 {

/// A setting of a request: a number or boolean at the top level of its body ("temperature", "max_tokens"),
/// never a string, and never a member that holds a key ("password").
struct Setting {
  std::string_view name{};
  std::string_view value{};  ///< the value as JSON
};

/// A call begins.
struct CallStart {
  /// The resource: "chat", "completions", "embeddings", "responses" or "models"; "request" for
  /// Client::request, start, stream and open.
  std::string_view operation{};
  std::string_view provider{};  ///< the name of the provider's row
  std::string_view model{};     ///< empty if the request names none; of a raw request, the body's `model`
  bool stream{};                ///< a stream is requested
  std::string_view host{};      ///< the host of the base URL
  int port{};
  /// Numbers and booleans of the request's body.
  std::span<const Setting> settings{};
  /// CallOptions::label.
  std::string_view label{};
  /// CallOptions::context: for example the request that the program serves, or a parent span. An asynchronous
  /// call begins on the loop's thread, where the caller's thread-local variables are not available.
  std::shared_ptr<const void> context{};
};

/// A request is about to be sent. The credential is added afterwards, and may end the call before anything is
/// sent.
struct AttemptStart {
  int number{};                       ///< 1 for the first of the call
  std::string_view method{};          ///< "POST"
  std::string_view url{};             ///< the URL without its query
  std::size_t body_bytes{};           ///< the size of the body
  std::span<const Header> headers{};  ///< all but the credential's
  std::string_view body{};            ///< empty unless Visibility::bodies
};

/// The head of an answer has arrived.
struct AnswerStart {
  int attempt{};                    ///< 1 for the first of the call
  int status{};                     ///< the HTTP status
  std::string_view http_version{};  ///< "1.1", "2"; empty in process
  std::string_view request_id{};    ///< the server's id; empty if it gave none
  std::span<const Header> headers{};
  Optional<bool> connection_reused{};  ///< see ResponseHead
};

/// An attempt failed, and another will be made.
struct RetryPlan {
  int attempt{};       ///< the number of the attempt that failed
  const Error& error;  ///< why; with its body only if Visibility::bodies is set
  Duration wait{};     ///< the wait before the next attempt
};

/// An element of a stream has been decoded.
struct ElementSeen {
  std::uint64_t number{};   ///< 1 for the first
  std::uint64_t bytes{};    ///< how many bytes of the body have arrived so far
  std::string_view text{};  ///< the text as received; empty unless Visibility::bodies
};

/// What an answer says about itself; empty or absent if it does not. Of a raw answer or a raw element: `id`,
/// `model` and the counts of `usage`, from the top level of the JSON or of its member `response`.
///
/// With OpenAI and most other servers, `input_tokens` includes the tokens read from a cache and written to
/// one. With Claude it does not: the whole input is the sum of all three.
struct AnswerFacts {
  std::string id{};
  std::string model{};  ///< the version that answered
  /// In the provider's words, one per choice, in the choices' order; "" for one that has not finished, if a
  /// later one has. None for raw answers.
  std::vector<std::string> finish_reasons{};
  Optional<std::int64_t> input_tokens{};
  Optional<std::int64_t> output_tokens{};
  Optional<std::int64_t> cached_input_tokens{};       ///< input tokens that came from a cache
  Optional<std::int64_t> cache_write_input_tokens{};  ///< input tokens that were written to a cache
  Optional<std::int64_t> reasoning_output_tokens{};   ///< output tokens that were reasoning
};

/// A call is over.
struct CallEnd {
  const Error* error{};           ///< why it failed, as in RetryPlan; nullptr if it succeeded
  int attempts{};                 ///< how many attempts it started
  int status{};                   ///< the status of the last answer; 0 if none began
  std::string_view request_id{};  ///< the server's id of the last answer; empty if it gave none
  std::uint64_t bytes{};          ///< the size of its body
  std::uint64_t events{};         ///< elements of a stream
  const Timings& timings;
  const AnswerFacts& answer;
  std::string_view body{};  ///< the body of an answer that was not a stream; empty unless Visibility::bodies
};

/// Follows one call, and is destroyed with it. None of its functions may throw.
class INFERWIRE_API CallObserver {
 public:
  virtual ~CallObserver();

  /// A request is about to be sent, unless the credential, which is asked next, fails: then `on_finish`
  /// follows. Headers put into `add`, such as `traceparent`, are sent as well; they replace those of the same
  /// name, as in CallOptions::headers: several of one name in `add` are all sent.
  virtual void on_attempt(const AttemptStart& attempt, std::vector<Header>& add) noexcept;
  /// Status and headers have arrived; the body is still to come.
  virtual void on_answer(const AnswerStart& answer) noexcept;
  /// The attempt failed, and another will be made after a wait.
  virtual void on_retry(const RetryPlan& plan) noexcept;
  /// An element of a stream, before it is delivered.
  virtual void on_element(const ElementSeen& element) noexcept;
  /// The call is over; nothing is called after this.
  virtual void on_finish(const CallEnd& end) noexcept;
};

/// Observes the calls of a client: derive from it and set ClientOptions::observer. Has to be safe from any
/// thread, since several calls may begin at the same time.
class INFERWIRE_API Observer {
 public:
  virtual ~Observer();
  /// The observer of this call; nullptr: none.
  virtual std::unique_ptr<CallObserver> begin(const CallStart& call) noexcept = 0;
};

}  // namespace inferwire::inline v0_1
