/// \file
/// Scripted answers of an engine, in place of the model's: replies and faults for tests, chosen by rules.
///
///     engine::Engine engine({.script = {.rules = {
///         {.when = {.last_user_contains = "weather", .stream = true},
///          .replies = {engine::reply::Failure{.status = 429, .retry_after = 1},
///                      engine::reply::Text{"Sunny."}}},
///     }}});
#pragma once

#include "inferwire/duration.hpp"
#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/transport.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// How fast answers are sent, streamed or not, on the clock of the caller (client or server).
struct Pacing {
  Duration first_token{};  ///< before the first token; a stream's head and first chunk are sent at once
  std::chrono::nanoseconds per_token{};  ///< before every further token
  /// How much the wait before a further token varies, 0 to 1: with 0.2 it is up to a fifth shorter or longer.
  /// Determined by the engine's seed.
  double jitter{0};
};

/// A user-defined condition on a request. Called on the threads that call the engine; must not throw.
class INFERWIRE_API Condition {
 public:
  virtual ~Condition();
  /// Whether the rule applies to this request.
  virtual bool holds(const HttpRequest& request) const = 0;
};

/// A value that the body of a request must have.
struct BodyValue {
  std::string pointer{};  ///< RFC 6901: "/messages/0/role"
  std::string json{};     ///< compared as JSON: white space, order of members, and 1.0 or 1 do not matter
};

/// Conditions on a request. All that are set have to hold; empty or absent ones hold for every request.
struct Matcher {
  std::string method{};              ///< "POST"
  std::string path{};                ///< a pattern: "*" stands for any text, "?" for one character
  std::string model{};               ///< a pattern of the endpoint's name, in the path or in the body
  std::vector<Header> headers{};     ///< patterns of values
  std::string last_user_contains{};  ///< text in the last user message, case-sensitive
  /// A regular expression (ECMAScript) that is searched for in the first 1024 bytes of the last user message.
  std::string last_user_matches{};
  std::string system_contains{};       ///< text in a system or developer message, or in `instructions`
  std::string any_text_contains{};     ///< text in any message, prompt or input
  std::string tool{};                  ///< the name of a tool that the request offers
  std::string tool_call_id{};          ///< the id of a tool result in the request
  std::string tool_result_contains{};  ///< text in a tool result
  std::string response_format{};       ///< "json_schema"
  Optional<bool> stream{};             ///< the body's `stream`; if it is absent there, it counts as false
  std::vector<BodyValue> body{};       ///< values that the body must have
  std::shared_ptr<const Condition> condition{};
};

namespace reply {

/// The model's answer.
struct Generate {};

/// This text, split into the model's tokens: counts, chunks, stop strings and limits work as for any other
/// text.
struct Text {
  std::string text{};
};

/// A call of a tool.
struct Call {
  std::string name{};
  std::string arguments{"{}"};  ///< JSON, or anything that a bad model might write
};

/// A chat message that calls tools, or whose content has parts. Its text is generated like a Text: if a limit
/// or a stop string ends the text, the calls are dropped. For chat only.
struct Message {
  std::string text{};                ///< the text before the calls; empty: none
  std::vector<std::string> parts{};  ///< the content as a list of parts, each as JSON text, instead of `text`
  std::vector<Call> calls{};
};

/// Exactly these bytes.
struct Body {
  std::string bytes{};
  std::string content_type{"application/json"};
  int status{200};
  std::vector<Header> headers{};
  bool streamed{false};  ///< sent in chunks, an event at a time, instead of with its length
};

/// An error response in the provider's form.
struct Failure {
  int status{500};                          ///< 400 and above
  std::string message{"scripted failure"};  ///< in the provider's form of an error
  Optional<std::int64_t> retry_after{};     ///< seconds
};

/// This row for every text. For embeddings only.
struct Row {
  std::vector<float> values{};
};

class Responder;

/// Whatever `responder` returns.
struct Ask {
  std::shared_ptr<Responder> responder{};
};

}  // namespace reply

using Reply = std::variant<reply::Generate, reply::Text, reply::Message, reply::Body, reply::Failure,
                           reply::Row, reply::Ask>;

namespace reply {

/// A user-defined reply. Called on the threads that call the engine; must not throw, and must not return
/// `Ask`.
class INFERWIRE_API Responder {
 public:
  virtual ~Responder();
  /// The reply to `request`.
  virtual Reply reply(const HttpRequest& request) = 0;
};

}  // namespace reply

/// Faults in an answer. Events are those of an event stream, or lines if lines are streamed; faults that
/// count events do not affect answers that have none.
struct Fault {
  Duration delay{};  ///< before the answer; delays the head of a stream too
  /// Closes the connection after this many events, without ending the answer.
  Optional<std::uint64_t> cut_after_events{};
  /// Closes the connection after this many bytes, even inside an event.
  Optional<std::uint64_t> cut_after_bytes{};
  /// Sends an error event after this many events, then ends without the end marker.
  Optional<std::uint64_t> error_after_events{};
  Optional<std::uint64_t> stall_after_events{};  ///< sends nothing more after this many events, forever
  bool no_end_mark{false};                       ///< omits "[DONE]"
  bool no_finish_reason{false};
  bool no_usage{false};
  bool repeat_events{false};     ///< sends every event twice
  bool empty_choices{false};     ///< sends a chunk without choices first
  bool comments{false};          ///< sends a comment before every event
  bool crlf{false};              ///< ends lines in CR LF
  bool byte_order_mark{false};   ///< begins with a byte order mark
  bool no_space{false};          ///< omits the space after "data:"
  std::uint64_t write_bytes{0};  ///< sends this many bytes at a time, regardless of events; 0: as generated
  Duration write_every{};        ///< the time between two of these writes
  bool one_write{false};         ///< sends everything at once, at the end
  std::string content_type{};    ///< sent instead of the correct type

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Gives replies to requests that match. The first matching rule answers. A request with a wrong method or
/// key is refused before the rules are consulted, and health checks do not count as requests.
struct Rule {
  std::string name{};            ///< its name in the journal; empty: "rule 1" and so on
  Matcher when{};                ///< the requests to which it applies; empty: all
  std::uint64_t skip{0};         ///< how many matching requests to leave to later rules first
  std::uint64_t times{0};        ///< how many requests to answer; 0: all
  std::vector<Reply> replies{};  ///< used in turn, then always the last; empty: the model answers
  Fault fault{};                 ///< faults in its answers
  Optional<Pacing> pacing{};     ///< absent: the engine's
};

/// Random faults, reproducible with the same seed: the fault of a request depends on its number. Each rate, 0
/// to 1, is a fraction of the requests that the rates before it have spared.
struct Chaos {
  double failures{0};     ///< fail with 429, 500 or 503
  double cuts{0};         ///< are cut off after some events, if they are streams
  double stalls{0};       ///< fall silent after some events, if they are streams
  double slow_starts{0};  ///< are delayed by a second
};

/// A script. An empty one has no overhead.
struct Script {
  std::vector<Rule> rules{};
  /// Whether a request that no rule matches is refused with 404; the answer then says what the rules require.
  bool strict{false};
  Chaos chaos{};
};

/// Reads a script written as JSON: the members above by their names, times in milliseconds (at most a day)
/// with `_ms` appended to the name, `tokens_per_second` for `per_token`, headers and body values as objects,
/// and replies as objects with one member ("generate", "text", "message", "body", "failure", "row"). Unknown
/// members are refused. See examples/script.json. Errors: decode, with the path.
INFERWIRE_API Result<Script> parse_script(std::string_view json);

}  // namespace inferwire::inline v0_1::engine
