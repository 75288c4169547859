/// \file
/// What an engine answers instead of the model: replies and faults for tests, chosen by rules.
///
///     engine::Engine engine({.script = {.rules = {
///         {.when = {.last_user_contains = "weather", .stream = true},
///          .replies = {engine::reply::Failure{.status = 429, .retry_after = 1},
///                      engine::reply::Text{"Sunny."}}},
///     }}});
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inferwire/export.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/timeouts.hpp"
#include "inferwire/transport.hpp"

namespace inferwire::inline v0_1::engine {

/// How fast answers come, streamed or not. Time is that of the clock of whoever drives.
struct Pacing {
  Duration first_token{};  ///< before the first token; a stream's head and first chunk come at once
  std::chrono::nanoseconds per_token{};  ///< before every further token
  /// How much shorter or longer the wait before a further token may be: 0.2 is up to a fifth. 0 to 1.
  /// Determined by the engine's seed.
  double jitter{0};
};

/// Decides about a request in code of your own. Called on whichever thread asks the engine; may not throw.
class INFERWIRE_API Condition {
 public:
  virtual ~Condition();
  /// Whether the rule is for this request.
  virtual bool holds(const HttpRequest& request) const = 0;
};

/// A value that the body of a request must have.
struct BodyValue {
  std::string pointer{};  ///< RFC 6901: "/messages/0/role"
  std::string json{};     ///< compared as JSON: white space, the order of members and 1.0 for 1 do not matter
};

/// Conditions on a request. All that are set have to hold; those that are empty or absent hold for every
/// request.
struct Matcher {
  std::string method{};              ///< "POST"
  std::string path{};                ///< a pattern: "*" stands for any text, "?" for one character
  std::string model{};               ///< a pattern of the endpoint's name, in the path or in the body
  std::vector<Header> headers{};     ///< patterns of values
  std::string last_user_contains{};  ///< in the last user message, as it is written
  /// A regular expression (ECMAScript) that is found in the first 1024 bytes of the last user message.
  std::string last_user_matches{};
  std::string system_contains{};       ///< in a system or developer message, or in `instructions`
  std::string any_text_contains{};     ///< in any message, prompt or input
  std::string tool{};                  ///< a tool of this name is offered
  std::string tool_call_id{};          ///< a tool's result with this id is there
  std::string tool_result_contains{};  ///< in the result of a tool
  std::string response_format{};       ///< "json_schema"
  Optional<bool> stream{};             ///< what the body's `stream` says; absent there is false
  std::vector<BodyValue> body{};       ///< all of these values are there
  std::shared_ptr<const Condition> condition{};
};

namespace reply {

/// What the model says.
struct Generate {};

/// This text, in the tokens of the model: counts, chunks, stop strings and limits are as for any other.
struct Text {
  std::string text{};
};

/// A call of a tool.
struct Call {
  std::string name{};
  std::string arguments{"{}"};  ///< JSON, or whatever a bad model writes
};

/// A chat message that calls tools, or whose content has parts; said as a Text is, so that who cuts or stops
/// its text cuts off the calls. Of chats only.
struct Message {
  std::string text{};                ///< before the calls; empty: none
  std::vector<std::string> parts{};  ///< content as a list of these, each JSON text, instead of the text
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

/// A refusal in the form of the provider.
struct Failure {
  int status{500};                          ///< 400 and above
  std::string message{"scripted failure"};  ///< in the provider's form of an error
  Optional<std::int64_t> retry_after{};     ///< seconds
};

/// This row for every text. Of embeddings only.
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

/// Answers in code of your own. Called on whichever thread asks the engine; may not throw, nor answer `Ask`.
class INFERWIRE_API Responder {
 public:
  virtual ~Responder();
  /// What is answered.
  virtual Reply reply(const HttpRequest& request) = 0;
};

}  // namespace reply

/// The faults of an answer. Events are those of an event stream, or lines if lines are streamed; faults that
/// count them do not affect answers without any.
struct Fault {
  Duration delay{};                              ///< before the answer; the head of a stream waits too
  Optional<std::uint64_t> cut_after_events{};    ///< the connection is closed without the end of the answer
  Optional<std::uint64_t> cut_after_bytes{};     ///< breaks off after this many bytes, wherever that is
  Optional<std::uint64_t> error_after_events{};  ///< an event with an error, then the end without its marker
  Optional<std::uint64_t> stall_after_events{};  ///< silence, for ever
  bool no_end_mark{false};                       ///< leaves out "[DONE]"
  bool no_finish_reason{false};
  bool no_usage{false};
  bool repeat_events{false};     ///< every event comes twice
  bool empty_choices{false};     ///< a chunk without choices comes first
  bool comments{false};          ///< a comment before every event
  bool crlf{false};              ///< lines end in CR LF
  bool byte_order_mark{false};   ///< at the start
  bool no_space{false};          ///< "data:" without the space after it
  std::uint64_t write_bytes{0};  ///< this many bytes at a time, wherever that cuts; 0: as they come
  Duration write_every{};        ///< between two of these
  bool one_write{false};         ///< all at once, at the end
  std::string content_type{};    ///< sent instead of the right one

  friend bool operator==(const Fault&, const Fault&) = default;
};

/// Gives replies to requests that match. The first rule that matches answers. A request with a wrong method
/// or key is refused before the rules see it, and asking how the engine is uses none of them up.
struct Rule {
  std::string name{};            ///< for the journal; empty: "rule 1" and so on
  Matcher when{};                ///< the requests it is for; empty: all
  std::uint64_t skip{0};         ///< this many matching requests are first left to the rules after this one
  std::uint64_t times{0};        ///< the rule answers this many; 0: all
  std::vector<Reply> replies{};  ///< one after another, then always the last; empty: the model answers
  Fault fault{};                 ///< what is wrong with its answers
  Optional<Pacing> pacing{};     ///< absent: the engine's
};

/// Random faults, the same for the same seed: what happens to a request depends on its number.
struct Chaos {
  double failures{0};     ///< the share of requests that fail, 0 to 1, with 429, 500 or 503
  double cuts{0};         ///< a stream breaks off after some events
  double stalls{0};       ///< a stream falls silent after some events
  double slow_starts{0};  ///< an answer waits a second
};

/// A whole script. An empty one costs nothing.
struct Script {
  std::vector<Rule> rules{};
  /// A request that no rule matches is refused with 404, and the answer says what the rules want.
  bool strict{false};
  Chaos chaos{};
};

/// Reads a script written as JSON: the members above by their names, times in milliseconds with `_ms` after
/// the name, at most a day, `tokens_per_second` for `per_token`, headers and body values as objects, replies
/// as objects of one member ("generate", "text", "message", "body", "failure", "row"). Unknown members are
/// refused. examples/script.json shows one. Errors: decode, with the path.
INFERWIRE_API Result<Script> parse_script(std::string_view json);

}  // namespace inferwire::inline v0_1::engine
