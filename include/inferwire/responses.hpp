/// \file
/// The Responses API: requests, answers, and the accumulator that folds stream events into an answer. Items
/// are in response_items.hpp, events in response_events.hpp.
///
/// Members have the names of the JSON documents. `Optional` means "may be absent". An empty string or list
/// that is not optional is not sent, unless the protocol requires it. Members that a struct does not name are
/// kept in its `extra`, byte for byte, and sent again. Nothing is sent that was not set.
#pragma once

#include "inferwire/dictionary.hpp"
#include "inferwire/error.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/prompt_cache_options.hpp"
#include "inferwire/response_items.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/usage.hpp"
#include "inferwire/vocabulary.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

namespace responses {

using inferwire::Finish;
using inferwire::PromptCacheOptions;
using inferwire::ReasoningEffort;
using inferwire::StreamOptions;
using inferwire::ToolChoiceMode;

/// The format of a custom tool's input (OpenAI).
struct CustomToolFormat {
  std::string type{"text"};            ///< "text" or "grammar"
  Optional<std::string> syntax{};      ///< required for type "grammar": "lark" or "regex"
  Optional<std::string> definition{};  ///< required for type "grammar": the grammar or regular expression
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolFormat&, const CustomToolFormat&);
};

/// A tool that the model may call. In the JSON document, name, description, parameters and strict are either
/// next to `type` (flat) or in an object `function` (nested, as documented by Databricks). Both are read;
/// `CallOptions::nested_tools` says which is sent.
struct Tool {
  std::string type{"function"};         ///< also "custom" and hosted tools: OpenAI; Databricks, by its guide
  std::string name{};                   ///< required; OpenAI: at most 128 letters, digits, "_" and "-"
  Optional<std::string> description{};  ///< what it does, and when to call it; Databricks: required
  Optional<Json> parameters{};  ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  /// Whether arguments follow the schema exactly; a subset of JSON schema only. OpenAI takes an absent one
  /// for true if it can make the schema strict, unlike in chat: it makes optional properties required, and
  /// the model invents their values.
  Optional<bool> strict{};
  Optional<CustomToolFormat> format{};  ///< for type "custom" (OpenAI); absent: any text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Tool&, const Tool&);
};

/// Forces a call of one tool, or allows only some without changing the request's list of tools, which the
/// service may have cached. Flat or nested, like Tool. Members for hosted tools are in `extra`.
struct NamedToolChoice {
  std::string type{"function"};  ///< "function", "custom", "allowed_tools" or the type of a hosted tool
  std::string name{};            ///< the name of the tool
  /// "auto" or "required", among the allowed tools; required for "allowed_tools"
  Optional<ToolChoiceMode> mode{};
  std::vector<Tool> tools{};  ///< the allowed tools; types and names are enough
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedToolChoice&, const NamedToolChoice&);
};
/// Whether tools are called, and which: "none", "auto", "required", one named tool, or a subset.
using ToolChoice = std::variant<ToolChoiceMode, NamedToolChoice>;

/// The format of the answer's text. Name, description, schema and strict belong to type "json_schema"; they
/// are flat, or nested in an object `json_schema`.
struct TextFormat {
  std::string type{"text"};  ///< "text", "json_object" or "json_schema"
  std::string name{};
  Optional<std::string> description{};  ///< for the model: what the document is for
  Optional<Json> schema{};              ///< the JSON schema; required for "json_schema"
  Optional<bool> strict{};              ///< the answer fits exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextFormat&, const TextFormat&);
};

/// Settings of the answer's text.
struct TextConfig {
  Optional<TextFormat> format{};      ///< default: plain text
  Optional<std::string> verbosity{};  ///< OpenAI: "low", "medium" or "high"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextConfig&, const TextConfig&);
};

/// Settings of the reasoning; reasoning models only.
struct ReasoningConfig {
  Optional<ReasoningEffort> effort{};  ///< the default depends on the model
  Optional<std::string> mode{};     ///< OpenAI: "standard" (default), or "pro": more tokens, better answers
  Optional<std::string> summary{};  ///< OpenAI: "auto", "concise" or "detailed"
  /// OpenAI: which earlier reasoning the model sees: "auto" (default), "current_turn" or "all_turns".
  Optional<std::string> context{};
  Optional<std::string> encrypted_content{};  ///< listed in Databricks' documentation
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningConfig&, const ReasoningConfig&);
};

/// A prompt template that is stored on the server, and the values of its variables. Those at OpenAI end on
/// 30 November 2026.
struct Prompt {
  std::string id{};                 ///< the id of the template
  Optional<std::string> version{};  ///< absent: the newest
  Optional<Json> variables{};       ///< a JSON object
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Prompt&, const Prompt&);
};

/// A conversation that is stored on the server (OpenAI).
struct Conversation {
  std::string id{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Conversation&, const Conversation&);
};
/// A conversation: its id, or the object as received.
using ConversationChoice = std::variant<std::string, Conversation>;

/// A request of the Responses API. By its reference, Databricks answers 400 to background, store,
/// conversation and service_tier, whatever their value, and, as far as known, to previous_response_id; its
/// guide contradicts this for OpenAI's models.
struct Request {
  /// The model. Required for every provider and path.
  std::string model{};
  /// The input to the model. Absent only if `prompt` or a stored conversation supplies it.
  Optional<Input> input{};
  Optional<std::string> instructions{};  ///< a system message before the input
  /// The maximum number of tokens in the answer, including reasoning: 1 or more, OpenAI 16 or more.
  Optional<std::int64_t> max_output_tokens{};
  Optional<double> temperature{};  ///< 0 to 2; default 1
  Optional<double> top_p{};        ///< above 0 (OpenAI: from 0), up to 1; default 1
  /// Set by the call: `create` sends false and `stream` sends true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};  ///< only with `stream`
  Optional<TextConfig> text{};               ///< the format of the answer's text
  Optional<ReasoningConfig> reasoning{};     ///< reasoning models only
  std::vector<Tool> tools{};                 ///< the tools that the model may call; Databricks: at most 32
  Optional<ToolChoice> tool_choice{};        ///< default "auto"
  Optional<bool> parallel_tool_calls{};      ///< default true
  Optional<std::int64_t> max_tool_calls{};   ///< the maximum number of calls of hosted tools, 1 or more
  /// At most 16 pairs; OpenAI: keys up to 64 characters, values up to 512.
  Dictionary<std::string> metadata{};
  std::vector<std::string> include{};     ///< "reasoning.encrypted_content", "message.output_text.logprobs"
                                          ///< (which `top_logprobs` needs)
  Optional<std::string> truncation{};     ///< "auto" or "disabled"; default "disabled"
  Optional<std::int64_t> top_logprobs{};  ///< 0 to 20
  Optional<std::string> prompt_cache_key{};             ///< requests with the same key are cached together
  Optional<PromptCacheOptions> prompt_cache_options{};  ///< OpenAI: how the prompt is cached
  Optional<std::string> prompt_cache_retention{};       ///< "24h"; deprecated by OpenAI
  Optional<std::string> safety_identifier{};            ///< OpenAI: at most 128 characters
  Optional<Prompt> prompt{};                     ///< a template, instead of or in addition to the input
  Optional<std::string> user{};                  ///< deprecated: see safety_identifier and prompt_cache_key
  Optional<bool> background{};                   ///< OpenAI
  Optional<bool> store{};                        ///< OpenAI, default true
  Optional<ConversationChoice> conversation{};   ///< OpenAI
  Optional<std::string> service_tier{};          ///< OpenAI
  Optional<std::string> previous_response_id{};  ///< OpenAI: continues a stored response
  Optional<Json> custom_inputs{};                ///< agents on Databricks
  Optional<Json> context{};                      ///< agents on Databricks
  Optional<Json> databricks_options{};           ///< agents on Databricks: `{"return_trace": true}`
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The words of ResponseStatus.
struct ResponseStatusWords {
  static constexpr std::string_view queued = "queued";            ///< it has not started (`background`)
  static constexpr std::string_view in_progress = "in_progress";  ///< it is being generated
  static constexpr std::string_view completed = "completed";      ///< it is complete
  static constexpr std::string_view incomplete = "incomplete";  ///< it was cut off: see `incomplete_details`
  static constexpr std::string_view failed = "failed";          ///< see `error`
  static constexpr std::string_view cancelled = "cancelled";    ///< it was cancelled (`background`)
};
/// The status of a response.
using ResponseStatus = OpenEnum<ResponseStatusWords>;

/// Why a response failed.
struct ResponseError {
  std::string code{};             ///< the provider's code: "server_error", "rate_limit_exceeded"
  std::string message{};          ///< the error in words
  Optional<std::string> param{};  ///< Databricks
  Optional<std::string> type{};   ///< Databricks
  Extra extra{};

  /// Whether the same request may succeed later: a fault of the server, or a rate limit. Follows from code,
  /// type and message as for an error event; a fault that they do not name is the server's.
  INFERWIRE_API bool retryable() const;
  /// Converts it to an Error{response_failed}, like the one at the end of a failed response's stream.
  INFERWIRE_API Error as_error() const;

  INFERWIRE_API friend bool operator==(const ResponseError&, const ResponseError&);
};

/// Why a response was cut off.
struct IncompleteDetails {
  std::string reason{};  ///< "max_output_tokens", "content_filter"; OpenAI also "max_messages"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const IncompleteDetails&, const IncompleteDetails&);
};

/// A response. Without streaming, a failed response is a Response too, not an Error: see `failure`.
struct Response {
  std::string id{};               ///< opaque; Databricks encrypts it, and it may be longer than 64 characters
  std::string object{};           ///< "response"
  Optional<double> created_at{};  ///< Unix time in seconds; agents on Databricks send a fraction
  Optional<ResponseStatus> status{};                 ///< agents on Databricks may send none
  Optional<double> completed_at{};                   ///< Unix time in seconds at which it was complete
  Optional<ResponseError> error{};                   ///< why it failed, for status failed
  Optional<IncompleteDetails> incomplete_details{};  ///< why it was cut off, for status incomplete
  Optional<Input> instructions{};                    ///< the instructions of the request
  Optional<std::int64_t> max_output_tokens{};
  std::string model{};         ///< the model version that answered
  std::vector<Item> output{};  ///< messages, tool calls and reasoning, in the order in which they arrived
  Optional<bool> parallel_tool_calls{};
  Optional<std::string> previous_response_id{};  ///< the response that this one continues
  Optional<ReasoningConfig> reasoning{};
  Optional<bool> store{};
  Optional<double> temperature{};
  Optional<TextConfig> text{};
  Optional<ToolChoice> tool_choice{};
  std::vector<Tool> tools{};
  Optional<double> top_p{};
  Optional<std::string> truncation{};
  Optional<Usage> usage{};  ///< input and output tokens; absent until the response is complete
  Optional<std::string> user{};
  Dictionary<std::string> metadata{};
  Optional<bool> background{};
  Optional<ConversationChoice> conversation{};
  Optional<Prompt> prompt{};
  Optional<std::string> service_tier{};
  Optional<std::int64_t> top_logprobs{};
  Optional<std::int64_t> max_tool_calls{};
  Optional<std::string> prompt_cache_key{};
  Optional<PromptCacheOptions> prompt_cache_options{};
  Optional<std::string> prompt_cache_retention{};
  Optional<std::string> safety_identifier{};
  Optional<Json> moderation{};      ///< OpenAI: the result of moderation
  Optional<Json> custom_outputs{};  ///< agents on Databricks
  Extra extra{};

  /// The output texts of all messages, joined; "" if there are none. Includes what a model says before it
  /// answers (Message::phase "commentary").
  INFERWIRE_API std::string output_text() const;
  /// The model's reasoning: the texts of the reasoning items, or their summaries if they have none.
  INFERWIRE_API std::string reasoning_text() const;
  /// The model's refusal; "" if it answered.
  INFERWIRE_API std::string refusal() const;
  /// The function calls in the order of the output. The pointers are valid as long as this response. Beware:
  /// `create(request)->tool_calls()` compiles but returns dangling pointers.
  INFERWIRE_API std::vector<const FunctionCall*> tool_calls() const&;
  std::vector<const FunctionCall*> tool_calls() const&& = delete;
  /// The items that the program has to answer: calls of functions and custom tools, OpenAI's
  /// "mcp_approval_request", and calls of OpenAI's tools that the program has to run ("shell_call",
  /// "apply_patch_call", "computer_call", "local_shell_call", "tool_search_call"). Calls that the server ran
  /// itself, whose results are in the output, are not included. The pointers are valid as long as this
  /// response.
  INFERWIRE_API std::vector<const Item*> open_items() const&;
  std::vector<const Item*> open_items() const&& = delete;
  /// Why the response ended, in the same terms for all providers: tool_calls if a completed response has open
  /// items.
  INFERWIRE_API Finish finish() const;
  /// Why the response failed, for status failed: `error` as an Error{response_failed}, like the one at the
  /// end of its stream, even if the server gave no `error`, or just a text, which is in `extra`. Absent for
  /// any other status: a response that was cut off or cancelled, or is not complete yet, has not failed.
  INFERWIRE_API Optional<Error> failure() const;

  /// The output as input for the next turn: with ids cut to 64 characters, and without what servers send but
  /// do not accept (status, logprobs, nulls, and what OpenAI's clients add by parsing; in items of hosted
  /// tools, which are Unknown, only `created_by`). Reasoning that no item of another kind follows is left out
  /// entirely. So is reasoning that only the server could look up, but did not store, together with the ids
  /// of messages and of calls of functions and custom tools, which refer to it. Arguments that are not a JSON
  /// object, which servers refuse, become "{}".
  INFERWIRE_API std::vector<Item> to_input_items() const;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// A page of items stored on the server: see `client.responses.list_input_items`.
struct List {
  std::string object{};      ///< "list"
  std::vector<Item> data{};  ///< newest first, unless requested otherwise
  std::string first_id{};    ///< the id of the first item on this page
  std::string last_id{};     ///< the id of the last item on this page: the "after" of the next page
  bool has_more{};           ///< whether there is a next page
  Extra extra{};

  INFERWIRE_API friend bool operator==(const List&, const List&);
};

/// The server's confirmation that a response was deleted.
struct Deletion {
  std::string id{};      ///< the id of the deleted response
  std::string object{};  ///< "response"; some servers send "response.deleted"
  bool deleted{};        ///< true
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Deletion&, const Deletion&);
};

class Event;

/// The JSON document, for logs and files. It lacks what a call adds by its kind and its provider, such as
/// `stream`, a model in the path and nested tools: for the body of a call see raw_request (batch.hpp).
/// Errors: invalid_request, with the path, as when it is sent.
INFERWIRE_API Result<Json> to_json(const Item& item);
INFERWIRE_API Result<Json> to_json(const std::vector<Item>& items);
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Event& event);
INFERWIRE_API Result<Json> to_json(const List& list);
INFERWIRE_API Result<Json> to_json(const Deletion& deletion);

/// Combines events into the Response that a call without streaming would have returned. `Stream::collect()`
/// uses it; it works on events from any source, whether or not they begin with `response.created`. It never
/// fails: what does not fit is dropped, and limits (1,024 items, 1,024 parts per item) protect it from
/// hostile indices. Not thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  /// Leaves the other one as if newly constructed.
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  /// Adds an event. Events have to be added in stream order.
  void add(const Event& event);

  /// The answer as far as it has arrived.
  Response partial() const;
  /// Returns the answer, moved out. The `status` of calls whose arguments may be truncated is "incomplete":
  /// of those that had not ended if `complete` is false, which means that the stream was cut off; also, if
  /// the server did not report the end of the response, of function calls that had not ended and whose
  /// arguments are not JSON, and of custom calls that had not ended.
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace responses

extern template struct INFERWIRE_API detail::Lifetime<responses::ToolChoice>;

using responses::to_json;  // so that it may be qualified like `from_json`

/// The inverse of `responses::to_json`.
template <>
INFERWIRE_API Result<responses::Item> from_json(const Json& document);
template <>
INFERWIRE_API Result<std::vector<responses::Item>> from_json(const Json& document);
template <>
INFERWIRE_API Result<responses::Request> from_json(const Json& document);
template <>
INFERWIRE_API Result<responses::Response> from_json(const Json& document);
template <>
INFERWIRE_API Result<responses::Event> from_json(const Json& document);
template <>
INFERWIRE_API Result<responses::List> from_json(const Json& document);
template <>
INFERWIRE_API Result<responses::Deletion> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
