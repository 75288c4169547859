/// \file
/// The options of a client and of a single call.
#pragma once

#include "inferwire/cancel.hpp"
#include "inferwire/credential.hpp"
#include "inferwire/environment.hpp"
#include "inferwire/executor.hpp"
#include "inferwire/fwd.hpp"
#include "inferwire/json.hpp"
#include "inferwire/log.hpp"
#include "inferwire/network.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/provider.hpp"
#include "inferwire/response_info.hpp"
#include "inferwire/retry_policy.hpp"
#include "inferwire/secret.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"
#include "inferwire/visibility.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// What to do with a request that is found to break its provider's documented rules before it is sent.
enum class Preflight : std::uint8_t {
  off,  ///< the request is sent
  /// The request is sent, and ClientOptions::log receives the reason; without a log nothing is checked.
  warn,
  reject,  ///< the request is not sent: Error{invalid_request} names the parameter
};

/// Options of a Client. Absent options are looked up in the environment, then in the provider's row.
struct ClientOptions {
  /// The service to call: one of the rows that come with the library, or a modified copy of one.
  Provider provider{Provider::openai()};
  /// The address of the service, for example "https://adb-123.azuredatabricks.net"; http or https. A query in
  /// it is sent with every request ("https://host/openai?api-version=1"). If absent (a null result of
  /// std::getenv counts as absent), the provider's environment variable is used, then the default in its row.
  /// An empty one is Error{config}.
  Optional<std::string> base_url{};
  /// A key or token, sent as a bearer token. If absent (a null result of std::getenv counts as absent), it is
  /// looked up the way the provider's own clients do. An empty one is Error{config}: otherwise a tenant whose
  /// key was not found would silently use yours.
  Optional<Secret> api_key{};
  /// Another way to authenticate. Error{config} beside `api_key`.
  std::shared_ptr<Credential> credential{};
  /// How long each phase of a call may take; CallOptions::timeouts changes single timers for one call.
  Timeouts timeouts{};
  /// The rules by which failed attempts are retried.
  RetryPolicy retry{};
  /// Sent with every request; a header of the same name in CallOptions replaces it. An Authorization header
  /// replaces the credential, which is then not used at all, not even after a 401. A key in any other header
  /// is sent in addition to the credential, unless that would send the same header: see Credential::header.
  std::vector<Header> headers{};
  /// Appended to the User-Agent, for example "my-app/1.2".
  std::string user_agent{};
  /// Whether a key may be sent over plain http to a host that is not loopback. If false, such calls fail with
  /// Error{config}, whatever the transport.
  bool allow_plain_http_key{false};
  /// The largest answer outside a stream, in bytes as received. Decoding a hostile one takes up to 45 times
  /// as much memory, and 70 times as much address space. Default 256 MiB.
  std::uint64_t max_response_bytes{256u << 20};
  /// The largest event of a stream, likewise. Default 32 MiB.
  std::size_t max_event_bytes{32u << 20};
  /// How many unread bytes an asynchronous stream buffers before it stops reading from its connection. Data
  /// already in flight may exceed this. Default 64 KiB.
  std::size_t stream_buffer_bytes{64u << 10};
  /// Proxies, trusted certificates, name resolution and connections, for the libcurl transport that the
  /// client makes. Beside a `transport` that sends requests over the network (Transport::is_remote) they are
  /// Error{config}: give them to `network_transport()`. One in process ignores them.
  NetworkOptions network{};
  /// Whether requests are first checked against the parameter rules of the provider's row. Nothing is ever
  /// dropped or added.
  Preflight preflight{Preflight::warn};
  /// Receives the library's log messages; absent: they are dropped, unless INFERWIRE_LOG is set (see
  /// Log::standard_error).
  std::shared_ptr<Log> log{};
  /// Observes the calls; absent: no observer.
  std::shared_ptr<Observer> observer{};
  /// What the log and the observer may see.
  Visibility visibility{};
  /// Sends the requests; absent: libcurl, with a connection pool that only this client and its copies use. If
  /// you have many clients, share one transport (`network_transport()`): each pool keeps its idle connections
  /// open.
  std::shared_ptr<Transport> transport{};
  /// The event loop of asynchronous calls; absent: one that only this client and its copies use. A client on
  /// a shared loop uses the loop's clock.
  std::shared_ptr<EventLoop> loop{};
  /// Runs callbacks and coroutines of asynchronous calls, unless CallOptions::executor is set; absent: they
  /// run on the event loop's thread.
  std::shared_ptr<Executor> executor{};
  /// The place where absent options are looked up, except proxies (NetworkOptions::proxy); absent: the
  /// process's environment variables and the machine's files.
  std::shared_ptr<Environment> environment{};
  /// The clock of all timers; absent: the machine's steady clock. Error{config} beside `loop`: give it to
  /// EventLoopOptions.
  std::shared_ptr<Clock> clock{};
};

/// A query parameter of a URL, not yet escaped.
struct QueryParameter {
  std::string name{};
  std::string value{};
};

/// A change to the JSON body of one call, for members, at any depth, that the typed request does not have.
/// `pointer` is an RFC 6901 pointer: "/guided_json", "/messages/0/cache_control", "/tools/-" (after the last
/// element), "" (the whole body). A change that cannot be made is Error{invalid_request}, with the pointer as
/// its path.
struct BodyEdit {
  enum class Kind : std::uint8_t {
    set,      ///< sets the value; missing objects on the way are created
    replace,  ///< replaces a value, which must exist
    remove,   ///< removes the value, if there is one
  };
  Kind kind{Kind::set};
  std::string pointer{};
  Json value{};  ///< ignored by `remove`

  INFERWIRE_API static BodyEdit set(std::string pointer, Json value);
  INFERWIRE_API static BodyEdit replace(std::string pointer, Json value);
  INFERWIRE_API static BodyEdit remove(std::string pointer);
};

/// Options of one call. They take precedence over the client's.
struct CallOptions {
  /// Changes the timers that are set here; the others stay the client's.
  TimeoutChanges timeouts{};
  /// The time by which the call must be over, on the client's clock: use it to pass on the deadline of a
  /// larger operation, which several calls may share. It works like Timeouts::overall, and in addition to it.
  /// A call whose deadline has passed is not sent: Error{timeout}, with the timer "overall".
  Optional<TimePoint> deadline{};
  /// Replaces the client's retry policy as a whole, with its `budget`, its `idempotency_header` and its
  /// `judge`, which may be a budget that calls share. To change a part of it, change a copy of the client's.
  Optional<RetryPolicy> retry{};
  /// Sent in addition to the client's headers; a header given here replaces the client's of the same name.
  /// Several of the same name are all sent. Authorization: as in ClientOptions.
  std::vector<Header> headers{};
  /// Names of headers not to send: the client's, or the library's own (but not those that the credential
  /// adds).
  std::vector<std::string> without_headers{};
  /// Appended to the URL, escaped.
  std::vector<QueryParameter> query{};
  /// Applied in this order, after everything else that affects the body.
  std::vector<BodyEdit> body{};
  /// Cancels the call from any thread, within milliseconds: Error{cancelled}. The default token never
  /// cancels.
  CancelToken cancel{};
  /// Runs callbacks and coroutines of an asynchronous call; absent: ClientOptions::executor.
  /// Executor::on_loop runs them on the event loop's thread.
  std::shared_ptr<Executor> executor{};
  /// Whether tools, tool_choice and text.format are sent to the Responses API nested (`{"type": "function",
  /// "function": {...}}`) instead of flat; absent: as the provider's row says.
  Optional<bool> nested_tools{};
  /// Receives the answer's metadata, whether the call succeeds or fails: a pointer `&info` to a variable,
  /// which has to outlive the call and, if it is asynchronous, its Pending; or a std::shared_ptr, which the
  /// call shares. For a stream, use `Stream::info()`.
  InfoPlace info{};
  /// Identifies this call to the observer: see CallStart::context. Never sent.
  std::shared_ptr<const void> context{};
  /// Put in front of this call's log lines, and into CallStart::label: "checkout-4711". Never sent.
  Optional<std::string> label{};
};

}  // namespace inferwire::inline v0_1
