/// \file
/// The Responses API: requests, answers, and the accumulator that folds stream events into an answer. Items
/// are in response_items.hpp, events in response_events.hpp.
///
/// Members carry the wire's names. `Optional` means "may be absent". A plain string or list that is
/// empty is not sent, unless the wire requires it. Members that a struct does not name are kept in its
/// `extra`, byte for byte, and sent again. Nothing is sent that was not set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inferwire/dictionary.hpp"
#include "inferwire/error.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/response_items.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/usage.hpp"
#include "inferwire/vocabulary.hpp"

namespace inferwire::inline v0_1 {

namespace responses {

using inferwire::Finish;
using inferwire::name;
using inferwire::ReasoningEffort;
using inferwire::StreamOptions;
using inferwire::ToolChoiceMode;

/// The form of the text for a custom tool (OpenAI).
struct CustomToolFormat {
  std::string type{"text"};            ///< "text" or "grammar"
  Optional<std::string> syntax{};      ///< required for type "grammar": "lark" or "regex"
  Optional<std::string> definition{};  ///< required for type "grammar": it, or the regular expression
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolFormat&, const CustomToolFormat&);
};

/// A tool that the model may call. On the wire name, description, parameters and strict are next to `type`
/// (flat) or in an object `function` (nested, as documented by Databricks): both are read, and
/// `CallOptions::nested_tools` says which is sent.
struct Tool {
  std::string type{"function"};         ///< Databricks: only this; OpenAI also has custom and hosted tools
  std::string name{};                   ///< required; OpenAI: at most 64 letters, digits, "_" and "-"
  Optional<std::string> description{};  ///< for the model: what it does, and when to call it
  Optional<Json> parameters{};  ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  Optional<bool> strict{};      ///< arguments follow the schema exactly; a subset of JSON schema only
  Optional<CustomToolFormat> format{};  ///< for type "custom" (OpenAI); absent: any text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Tool&, const Tool&);
};

/// Forces a call of one tool, or allows only some: the request's list of tools, which the service may have
/// cached, stays the same. Spelled flat or nested, as Tool is. What belongs to hosted tools is in `extra`.
struct NamedToolChoice {
  std::string type{"function"};     ///< "function", "custom", "allowed_tools" or a hosted tool's
  std::string name{};               ///< the name of the tool
  Optional<ToolChoiceMode> mode{};  ///< "auto" or "required": of those allowed; required for "allowed_tools"
  std::vector<Tool> tools{};        ///< those allowed; their types and names are enough
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedToolChoice&, const NamedToolChoice&);
};
/// Whether and which tools are called: "none", "auto", "required", one of them, or of some.
using ToolChoice = std::variant<ToolChoiceMode, NamedToolChoice>;

/// The form of the text. Name, description, schema and strict belong to "json_schema"; spelled flat, or
/// nested in an object `json_schema`.
struct TextFormat {
  std::string type{"text"};  ///< "text", "json_object" or "json_schema"
  std::string name{};
  Optional<std::string> description{};  ///< for the model: what the document is for
  Optional<Json> schema{};              ///< the JSON schema; required for "json_schema"
  Optional<bool> strict{};              ///< the answer fits exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextFormat&, const TextFormat&);
};

/// The form of the text.
struct TextConfig {
  Optional<TextFormat> format{};      ///< default: plain text
  Optional<std::string> verbosity{};  ///< OpenAI: "low", "medium" or "high"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextConfig&, const TextConfig&);
};

/// Reasoning models only.
struct ReasoningConfig {
  Optional<ReasoningEffort> effort{};         ///< Databricks: low, medium or high; default medium
  Optional<std::string> summary{};            ///< OpenAI: "auto", "concise" or "detailed"
  Optional<std::string> encrypted_content{};  ///< listed in Databricks' documents
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningConfig&, const ReasoningConfig&);
};

/// A prompt template that the server keeps, and what to fill in.
struct Prompt {
  std::string id{};                 ///< the id of the template
  Optional<std::string> version{};  ///< absent: the newest
  Optional<Json> variables{};       ///< an object
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Prompt&, const Prompt&);
};

/// A conversation that the server keeps (OpenAI).
struct Conversation {
  std::string id{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Conversation&, const Conversation&);
};
/// A conversation: its id, or the object that came.
using ConversationChoice = std::variant<std::string, Conversation>;

/// A request. Databricks answers 400 to background, store, conversation and service_tier, whatever their
/// value.
struct Request {
  /// Required, on every provider and path.
  std::string model{};
  /// What the model reads. Absent only where `prompt` or a kept conversation has it.
  Optional<Input> input{};
  Optional<std::string> instructions{};  ///< a system message before the input
  /// The most tokens of the answer, including those of reasoning: 1 and above, OpenAI 16 and above.
  Optional<std::int64_t> max_output_tokens{};
  Optional<double> temperature{};  ///< 0 to 2; default 1
  Optional<double> top_p{};        ///< above 0, up to 1; default 1
  /// Set by the call: `create` sends false and `stream` true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};  ///< only with `stream`
  Optional<TextConfig> text{};               ///< the form of the answer's text
  Optional<ReasoningConfig> reasoning{};     ///< reasoning models only
  std::vector<Tool> tools{};                 ///< what the model may call; Databricks: at most 32
  Optional<ToolChoice> tool_choice{};        ///< default "auto"
  Optional<bool> parallel_tool_calls{};      ///< default true
  Optional<std::int64_t> max_tool_calls{};   ///< calls of hosted tools, 1 and above
  Dictionary<std::string> metadata{};        ///< at most 16 pairs; OpenAI: keys up to 64, values up to 512
  std::vector<std::string> include{};     ///< "reasoning.encrypted_content", "message.output_text.logprobs"
  Optional<std::string> truncation{};     ///< "auto" or "disabled"; default "disabled"
  Optional<std::int64_t> top_logprobs{};  ///< 0 to 20
  Optional<std::string> prompt_cache_key{};        ///< requests with the same key are cached together
  Optional<std::string> prompt_cache_retention{};  ///< "24h"; OpenAI also "in_memory"
  Optional<std::string> safety_identifier{};       ///< at most 64 characters
  Optional<Prompt> prompt{};                       ///< a template in place of, or around, the input
  Optional<std::string> user{};                    ///< deprecated: see safety_identifier and prompt_cache_key
  Optional<bool> background{};                     ///< OpenAI
  Optional<bool> store{};                          ///< OpenAI, default true
  Optional<ConversationChoice> conversation{};     ///< OpenAI
  Optional<std::string> service_tier{};            ///< OpenAI
  Optional<std::string> previous_response_id{};    ///< OpenAI: goes on from a stored response
  Optional<Json> custom_inputs{};                  ///< agents on Databricks
  Optional<Json> context{};                        ///< agents on Databricks
  Optional<Json> databricks_options{};             ///< agents on Databricks: `{"return_trace": true}`
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The words of ResponseStatus.
struct ResponseStatusWords {
  static constexpr std::string_view queued = "queued";            ///< it has not begun (`background`)
  static constexpr std::string_view in_progress = "in_progress";  ///< it is being generated
  static constexpr std::string_view completed = "completed";      ///< it is complete
  static constexpr std::string_view incomplete = "incomplete";    ///< it was cut: see `incomplete_details`
  static constexpr std::string_view failed = "failed";            ///< see `error`
  static constexpr std::string_view cancelled = "cancelled";      ///< somebody cancelled it (`background`)
};
/// How far a response is.
using ResponseStatus = OpenEnum<ResponseStatusWords>;

/// Why a response failed.
struct ResponseError {
  std::string code{};             ///< the provider's: "server_error", "rate_limit_exceeded"
  std::string message{};          ///< in words
  Optional<std::string> param{};  ///< Databricks
  Optional<std::string> type{};   ///< Databricks
  Extra extra{};

  /// Whether the same request may succeed later: a fault of the server, or a rate limit.
  INFERWIRE_API bool retryable() const noexcept;
  /// Makes it an Error{response_failed}, like the one at the end of a failed response's stream.
  INFERWIRE_API Error as_error() const;

  INFERWIRE_API friend bool operator==(const ResponseError&, const ResponseError&);
};

/// Why a response was cut.
struct IncompleteDetails {
  std::string reason{};  ///< "max_output_tokens" or "content_filter"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const IncompleteDetails&, const IncompleteDetails&);
};

/// A response. Without streaming, a failed one is a Response too: see `status` and `error`.
struct Response {
  std::string id{};               ///< opaque; Databricks encrypts it, and it may be longer than 64 characters
  std::string object{};           ///< "response"
  Optional<double> created_at{};  ///< Unix time in seconds; agents on Databricks send a fraction
  Optional<ResponseStatus> status{};                 ///< agents on Databricks may send none
  Optional<double> completed_at{};                   ///< Unix time in seconds at which it was whole
  Optional<ResponseError> error{};                   ///< why it failed, for status failed
  Optional<IncompleteDetails> incomplete_details{};  ///< why it was cut, for status incomplete
  Optional<Input> instructions{};                    ///< those of the request
  Optional<std::int64_t> max_output_tokens{};
  std::string model{};         ///< the version that answered
  std::vector<Item> output{};  ///< messages, calls, reasoning, in the order in which they came
  Optional<bool> parallel_tool_calls{};
  Optional<std::string> previous_response_id{};  ///< the response that this goes on from
  Optional<ReasoningConfig> reasoning{};
  Optional<bool> store{};
  Optional<double> temperature{};
  Optional<TextConfig> text{};
  Optional<ToolChoice> tool_choice{};
  std::vector<Tool> tools{};
  Optional<double> top_p{};
  Optional<std::string> truncation{};
  Optional<Usage> usage{};  ///< input and output tokens; absent until it is whole
  Optional<std::string> user{};
  Dictionary<std::string> metadata{};
  Optional<bool> background{};
  Optional<ConversationChoice> conversation{};
  Optional<Prompt> prompt{};
  Optional<std::string> service_tier{};
  Optional<std::int64_t> top_logprobs{};
  Optional<std::int64_t> max_tool_calls{};
  Optional<std::string> prompt_cache_key{};
  Optional<std::string> prompt_cache_retention{};
  Optional<std::string> safety_identifier{};
  Optional<Json> moderation{};      ///< OpenAI: what its moderation said
  Optional<Json> custom_outputs{};  ///< agents on Databricks
  Extra extra{};

  /// The output texts of all messages, joined; "" when there are none. What a model says before it answers
  /// (Message::phase "commentary") is among them.
  INFERWIRE_API std::string output_text() const;
  /// The model's reasoning: the texts of the reasoning items, or their summaries if they have none.
  INFERWIRE_API std::string reasoning_text() const;
  /// The model's refusal; "" if it answered.
  INFERWIRE_API std::string refusal() const;
  /// The function calls in the order of the output. They point into this response:
  /// `create(request)->tool_calls()` compiles, and gives what is gone.
  INFERWIRE_API std::vector<const FunctionCall*> tool_calls() const&;
  std::vector<const FunctionCall*> tool_calls() const&& = delete;
  /// The items that wait for one of the program's: calls of functions and custom tools, OpenAI's
  /// "mcp_approval_request", and calls of its tools that the program has to run ("shell_call",
  /// "apply_patch_call", "computer_call", "local_shell_call", "tool_search_call"). Those that the server ran
  /// itself, so that their results are in the output, are not among them. They point into this response.
  INFERWIRE_API std::vector<const Item*> open_items() const&;
  std::vector<const Item*> open_items() const&& = delete;
  /// Why it ended, in one word for all providers: tool_calls if a completed response has open items.
  INFERWIRE_API Finish finish() const;

  /// The output as input of the next turn: with ids cut to 64 characters, and without what servers send but
  /// do not accept (status, logprobs, nulls; of hosted tools' items, which are Unknown, `created_by` alone).
  /// Reasoning that only the server could look up, and that it did not store, is left out entirely.
  INFERWIRE_API std::vector<Item> to_input_items() const;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// Items that the server has, a page at a time: see `client.responses.list_input_items`.
struct List {
  std::string object{};      ///< "list"
  std::vector<Item> data{};  ///< the newest first, unless asked for otherwise
  std::string first_id{};    ///< the id of the first item here
  std::string last_id{};     ///< the id of the last item here: the next page is what comes `after` it
  bool has_more{};           ///< whether there is a next page
  Extra extra{};

  INFERWIRE_API friend bool operator==(const List&, const List&);
};

/// The server's word that it keeps a response no longer.
struct Deletion {
  std::string id{};      ///< the id of the response that was
  std::string object{};  ///< "response"; some servers say "response.deleted"
  bool deleted{};        ///< true
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Deletion&, const Deletion&);
};

class Event;

/// The document as it is sent, for logs and files. Errors: invalid_request, with the path, as when it is
/// sent.
INFERWIRE_API Result<Json> to_json(const Item& item);
INFERWIRE_API Result<Json> to_json(const std::vector<Item>& items);
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Event& event);
INFERWIRE_API Result<Json> to_json(const List& list);
INFERWIRE_API Result<Json> to_json(const Deletion& deletion);

/// Folds events into the Response that the call without streaming would have given. `Stream::collect()` uses
/// it; it works on events from anywhere, begun with `response.created` or not. It never fails: what it cannot
/// place is dropped, and limits (1,024 items, 1,024 parts per item) protect it from hostile indices. Not
/// thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  /// Leaves the other one as if it were new.
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  /// Adds an event. Events have to be added in the order of their stream.
  void add(const Event& event);

  /// What has arrived so far.
  Response partial() const;
  /// The answer, moved out. If `complete` is false the stream broke: the `status` of calls that had not
  /// ended is then "incomplete", since their arguments may be cut.
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace responses

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
