/// \file
/// The client: ten lines to a first answer. It only declares requests and answers: also include the header of
/// the resource (inferwire/chat.hpp), or inferwire/inferwire.hpp.
///
///     #include <inferwire/chat.hpp>
///     #include <inferwire/client.hpp>
///     using namespace inferwire;
///
///     auto client = Client({.provider = Provider::openai()});      // key from OPENAI_API_KEY
///     auto reply = client.chat.create({.model = "gpt-4o-mini", .messages = {chat::user("Hello")}});
///     if (!reply) return report(reply.error());
///     std::cout << reply->text() << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inferwire/async_stream.hpp"
#include "inferwire/cancel.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/log.hpp"
#include "inferwire/network.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/pending.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/result.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/stream.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"
#include "inferwire/visibility.hpp"

namespace inferwire::inline v0_1 {

/// What happens to a request that breaks its provider's documented rules, as found before it is sent.
enum class Preflight : std::uint8_t {
  off,  ///< it is sent
  /// It is sent, and ClientOptions::log receives the reason; without a log nothing is checked.
  warn,
  reject,  ///< it is not sent: Error{invalid_request} names the parameter
};

/// Options of a Client. What is absent comes from the environment, then from the provider's row.
struct ClientOptions {
  /// The service that is called: one of the shipped rows, or a changed copy.
  Provider provider{Provider::openai()};
  /// The address of the service, for example "https://adb-123.azuredatabricks.net"; http or https. A query in
  /// it is sent with every request ("https://host/openai?api-version=1"). Absent (so is a std::getenv that
  /// finds nothing): the provider's environment variable, then its row. An empty one is Error{config}.
  Optional<std::string> base_url{};
  /// A key or token, sent as a bearer token. If absent (as what std::getenv does not have), it is found as
  /// the provider's own clients find it. An empty one is Error{config}: a tenant whose key was not found must
  /// not be lent yours.
  Optional<Secret> api_key{};
  /// Another way to authenticate; used instead of `api_key`.
  std::shared_ptr<Credential> credential{};
  /// How long its calls may take, phase by phase; CallOptions::timeouts changes single ones.
  Timeouts timeouts{};
  /// The rules by which failures are tried again.
  RetryPolicy retry{};
  /// Sent with every request; one of the same name in CallOptions replaces it. A header Authorization
  /// replaces the credential, which is then not consulted, not even after a 401. A key in any other header is
  /// sent in addition to the credential: see Credential::header.
  std::vector<Header> headers{};
  /// Appended to the User-Agent, for example "my-app/1.2".
  std::string user_agent{};
  /// Whether a key may be sent over plain http to a host that is not loopback. Off: such calls fail with
  /// Error{config}.
  bool allow_plain_http_key{false};
  /// The largest answer outside a stream, in bytes. Default 256 MiB.
  std::uint64_t max_response_bytes{256u << 20};
  /// The largest event of a stream, in bytes. Default 32 MiB.
  std::size_t max_event_bytes{32u << 20};
  /// How many unread bytes an asynchronous stream buffers before it stops reading from its connection. It may
  /// overshoot by what is already in flight. Default 64 KiB.
  std::size_t stream_buffer_bytes{64u << 10};
  /// Proxies, trust, names, connections: read by the libcurl transport.
  NetworkOptions network{};
  /// Whether requests are first checked against the parameter rules of the provider's row. Nothing is ever
  /// dropped or added.
  Preflight preflight{Preflight::warn};
  /// Receives the library's remarks; absent: they are dropped, unless INFERWIRE_LOG is set (see
  /// Log::standard_error).
  std::shared_ptr<Log> log{};
  /// Watches the calls; absent: none.
  std::shared_ptr<Observer> observer{};
  /// What log and observer are shown.
  Visibility visibility{};
  /// Carries the requests; absent: libcurl, with a pool of its own for this client and its copies. Many
  /// clients had better share one (`network_transport()`): each pool holds open what its last calls left.
  std::shared_ptr<Transport> transport{};
  /// What asynchronous calls run on; absent: a loop of this client's and its copies' own. A client on a
  /// shared loop uses the loop's clock.
  std::shared_ptr<EventLoop> loop{};
  /// Runs callbacks and coroutines of asynchronous calls, unless a call names another one; absent: they run
  /// on the event loop's thread.
  std::shared_ptr<Executor> executor{};
  /// The place where absent options are looked up, except proxies (NetworkOptions::proxy); absent: the
  /// process's variables and the machine's files.
  std::shared_ptr<Environment> environment{};
  /// The clock of all timers; absent: the machine's steady clock. Ignored if `loop` is given.
  std::shared_ptr<Clock> clock{};
};

/// A parameter of a URL's query, in plain text.
struct QueryParameter {
  std::string name{};
  std::string value{};
};

/// A change to the JSON body of one call, for members that the typed request does not know, deep ones too.
/// `pointer` is an RFC 6901 pointer: "/guided_json", "/messages/0/cache_control", "/tools/-" (after the last
/// element), "" (the whole body). A change that cannot be made is Error{invalid_request}, with the pointer as
/// its path.
struct BodyEdit {
  enum class Kind : std::uint8_t {
    set,      ///< the value is put there; missing objects on the way are created
    replace,  ///< replaces a value that has to be there
    remove,   ///< removes what is there, if anything
  };
  Kind kind{Kind::set};
  std::string pointer{};
  Json value{};  ///< ignored by `remove`

  INFERWIRE_API static BodyEdit set(std::string pointer, Json value);
  INFERWIRE_API static BodyEdit replace(std::string pointer, Json value);
  INFERWIRE_API static BodyEdit remove(std::string pointer);
};

/// Options of one call; they take precedence over the client's.
struct CallOptions {
  /// Changes the timers that are named here; the others are the client's.
  TimeoutChanges timeouts{};
  /// The time at which the call has to be over, by the client's clock: the deadline of what it is part of.
  /// Works as Timeouts::overall does, and along with it; several calls may share one. A call whose deadline
  /// has passed is not sent: Error{timeout}, of the timer "overall".
  Optional<TimePoint> deadline{};
  /// Replaces the client's whole policy.
  Optional<RetryPolicy> retry{};
  /// Sent in addition to the client's, of which those of the same names make room; several of one name are
  /// all sent. Authorization: as in ClientOptions.
  std::vector<Header> headers{};
  /// Names of headers that are not sent: the client's, or those of the library's own (but not what the
  /// credential adds).
  std::vector<std::string> without_headers{};
  /// Appended to the URL, escaped.
  std::vector<QueryParameter> query{};
  /// Applied in this order, after everything else that determines the body.
  std::vector<BodyEdit> body{};
  /// Ends the call from any thread, within milliseconds: Error{cancelled}. By default nothing does.
  CancelToken cancel{};
  /// Runs callbacks and coroutines of an asynchronous call; absent: ClientOptions::executor does.
  /// Executor::on_loop is the event loop's thread.
  std::shared_ptr<Executor> executor{};
  /// Whether the Responses API gets tools, tool_choice and text.format nested (`{"type": "function",
  /// "function": {...}}`) instead of flat; absent: as the provider's row says.
  Optional<bool> nested_tools{};
  /// Receives the answer's metadata, whether the call succeeds or fails: `&info`, which has to outlive the
  /// call, and the Pending of an asynchronous one; or a std::shared_ptr, which the call shares. A stream has
  /// its own: `Stream::info()`.
  InfoPlace info{};
  /// Identifies this call to the observer: see CallStart::context. Never sent.
  std::shared_ptr<const void> context{};
  /// Put in front of this call's log lines, and into CallStart: "checkout-4711". Never sent.
  Optional<std::string> label{};
};

class Client;

namespace detail {
class Core;
struct ClientAccess;                     // the library's own way to the core
enum class NoOptions : std::uint8_t {};  // what empty braces are before they are anything else
}  // namespace detail

template <>
struct Folds<Json> {
  using Response = std::vector<Json>;
  struct INFERWIRE_API Accumulator {
    std::vector<Json> elements{};
    void add(const Json& element);
    std::vector<Json> take(bool complete);
  };
};

template <>
struct Folds<chat::Chunk> {
  using Response = chat::Response;
  using Accumulator = chat::Accumulator;
};

template <>
struct Folds<completions::Chunk> {
  using Response = completions::Response;
  using Accumulator = completions::Accumulator;
};

template <>
struct Folds<responses::Event> {
  using Response = responses::Response;
  using Accumulator = responses::Accumulator;
};

namespace chat {

/// `client.chat`: chat completions. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in chunks. Nothing is sent before the first element is asked for; an error, of whatever kind,
  /// is the range's last element.
  Stream<Chunk> stream(const Request& request, const CallOptions& options = {}) const;
  /// `create` on the client's event loop: returns at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  /// `stream` on the client's event loop. Nothing is sent before the first `next` or `listen`.
  AsyncStream<Chunk> open(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace chat

namespace completions {

/// `client.completions`: text completions. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in chunks, as in `chat`.
  Stream<Chunk> stream(const Request& request, const CallOptions& options = {}) const;
  /// Both on the client's event loop, as in `chat`: they return at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  AsyncStream<Chunk> open(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace completions

namespace embeddings {

/// `client.embeddings`: rows of floats for texts. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The rows of the inputs of `request`, in their order, on the calling thread. An answer in which the row
  /// of an input is missing, or comes twice, is Error{decode}.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// Starts the request on the client's event loop.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace embeddings

namespace models {

/// `client.models`: what the service serves; on Databricks the serving endpoints. Cheap to copy, safe from
/// any thread.
class INFERWIRE_API Resource {
 public:
  /// Everything that is served, in the service's order.
  Result<List> list(const CallOptions& options = {}) const;
  /// The model, on Databricks the serving endpoint, of this name. Error{not_found} when there is none.
  Result<Model> retrieve(const std::string& name, const CallOptions& options = {}) const;
  /// Both on the client's event loop: they return at once.
  Pending<List> start_list(const CallOptions& options = {}) const;
  Pending<Model> start_retrieve(const std::string& name, const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace models

namespace responses {

/// `client.responses`: the Responses API. Cheap to copy, safe from any thread.
class INFERWIRE_API Resource {
 public:
  /// The answer to `request`, on the calling thread. A response that failed is an answer too: see
  /// `Response::status`.
  Result<Response> create(const Request& request, const CallOptions& options = {}) const;
  /// The answer in events, as in `chat`. `response.completed`, `.incomplete` or `.cancelled` completes it
  /// (see StreamRow::responses_in_turns for agents), and `[DONE]` does if the server sends only items, with
  /// no event about the response; after `response.failed` the last element is an Error{response_failed}.
  Stream<Event> stream(const Request& request, const CallOptions& options = {}) const;
  /// Both on the client's event loop, as in `chat`: they return at once.
  Pending<Response> start(const Request& request, const CallOptions& options = {}) const;
  AsyncStream<Event> open(const Request& request, const CallOptions& options = {}) const;

  // These are for responses that the service keeps. Error{not_found} when it has none of this id,
  // Error{unsupported} where it keeps none (Provider::kept_responses).

  /// The response in its present state; one generated in the background may be queued, or in progress.
  Result<Response> retrieve(const std::string& id, const CallOptions& options = {}) const;
  /// Cancels one that is generated in the background. Returns the response: cancelled, or as it had ended
  /// before.
  Result<Response> cancel(const std::string& id, const CallOptions& options = {}) const;
  /// Deletes it from the service. A retry, after an attempt whose answer got lost, may find nothing left:
  /// Error{not_found}.
  Result<Deletion> remove(const std::string& id, const CallOptions& options = {}) const;
  /// The input that it answers. `CallOptions::query` takes "order" ("desc" or "asc"), "limit", and for the
  /// next page "after", an item's id.
  Result<List> list_input_items(const std::string& id, const CallOptions& options = {}) const;
  /// The events of one that is generated in the background, as from `stream`: those after this
  /// Event::sequence_number, or all. Past events come at once, later ones as they happen.
  Stream<Event> resume(const std::string& id, Optional<std::int64_t> starting_after = std::nullopt,
                       const CallOptions& options = {}) const;
  /// All of them on the client's event loop: they return at once.
  Pending<Response> start_retrieve(const std::string& id, const CallOptions& options = {}) const;
  Pending<Response> start_cancel(const std::string& id, const CallOptions& options = {}) const;
  Pending<Deletion> start_remove(const std::string& id, const CallOptions& options = {}) const;
  Pending<List> start_list_input_items(const std::string& id, const CallOptions& options = {}) const;
  AsyncStream<Event> reopen(const std::string& id, Optional<std::int64_t> starting_after = std::nullopt,
                            const CallOptions& options = {}) const;

 private:
  friend class inferwire::Client;
  explicit Resource(std::shared_ptr<detail::Core> core) : core_(std::move(core)) {}

  std::shared_ptr<detail::Core> core_;
};

}  // namespace responses

/// A client of one service. Cheap to copy (copies share connections), safe from any thread, and does no I/O
/// until the first call, which looks up what the options leave open; if any of it is wrong, every call fails
/// with that error. Calls of a moved-from client fail with Error{config}. In a child of fork() (made while no
/// other thread used the client) blocking calls open connections of their own. Calls under way and the event
/// loop stay with the parent: if the loop was running, asynchronous calls and batches fail with Error{config}
/// in the child and need a client made there.
class INFERWIRE_API Client {
 public:
  /// Keeps the options; nothing is looked up or sent yet.
  explicit Client(ClientOptions options);
  /// Makes a client without options: `Client()`, `Client({})`.
  explicit Client(detail::NoOptions = {}) : Client(ClientOptions()) {}

  /// Any request to the service, for endpoints that have no member here yet: `path` below the base URL
  /// ("/rerank", escaped already), with the same credential, timeouts and errors as every call. A status that
  /// is not 2xx is an Error; what came with another is read by `RawResponse::document`.
  /// Error{invalid_request} when method or path cannot be sent.
  Result<RawResponse> request(std::string_view method, std::string_view path,
                              const Optional<Json>& body = std::nullopt,
                              const CallOptions& options = {}) const;
  /// Starts such a request on the client's event loop.
  Pending<RawResponse> start(std::string_view method, std::string_view path,
                             const Optional<Json>& body = std::nullopt,
                             const CallOptions& options = {}) const;
  /// A request of the same kind whose answer is a stream of JSON texts, in any framing: POST with a body, GET
  /// without. Complete at `[DONE]`, or at a clean end that is not inside of an event.
  Stream<Json> stream(std::string_view path, const Optional<Json>& body = std::nullopt,
                      const CallOptions& options = {}) const;
  /// Opens such a stream on the client's event loop. Nothing is sent before the first `next` or `listen`.
  AsyncStream<Json> open(std::string_view path, const Optional<Json>& body = std::nullopt,
                         const CallOptions& options = {}) const;
  /// How calls authenticate, and where that comes from, without secrets. Reads the environment and its files
  /// as the first call does; contacts nobody. The answer's type is in inferwire/auth_report.hpp.
  AuthReport describe_auth() const;

  chat::Resource chat;
  completions::Resource completions;
  embeddings::Resource embeddings;
  models::Resource models;
  responses::Resource responses;

 private:
  friend struct detail::ClientAccess;
  explicit Client(std::shared_ptr<detail::Core> core);
  const std::shared_ptr<detail::Core>& core() const noexcept { return chat.core_; }
};

}  // namespace inferwire::inline v0_1
