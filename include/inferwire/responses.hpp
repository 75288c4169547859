/// \file
/// The Responses API: requests, answers, and the accumulator that folds stream events into an answer. Items
/// are in response_items.hpp, events in response_events.hpp.
///
/// Members carry the wire's names. `std::optional` means "may be absent". A plain string or list that is
/// empty is not sent, unless the wire requires it. Members that a struct does not name are kept in its
/// `extra`, byte for byte, and sent again. Nothing is sent that was not set.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inferwire/dictionary.hpp"
#include "inferwire/error.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/json.hpp"
#include "inferwire/open_enum.hpp"
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

/// A tool that the model may call. On the wire name, description, parameters and strict stand beside `type`
/// (flat) or in an object `function` (nested, as Databricks' documents have it): both are read, and
/// `CallOptions::nested_tools` says which is sent.
struct Tool {
  std::string type{"function"};  ///< Databricks: only this; OpenAI also has custom and hosted tools
  std::string name{};
  std::optional<std::string> description{};
  std::optional<Json>
      parameters{};              ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  std::optional<bool> strict{};  ///< arguments follow the schema exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Tool&, const Tool&);
};

/// Forces a call of one tool. Spelled flat or nested, as Tool is. OpenAI's other choices ("allowed_tools",
/// hosted tools) have their members in `extra`.
struct NamedToolChoice {
  std::string type{"function"};
  std::string name{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedToolChoice&, const NamedToolChoice&);
};
using ToolChoice = std::variant<ToolChoiceMode, NamedToolChoice>;

/// The form of the text. Name, description, schema and strict belong to "json_schema"; spelled flat, or
/// nested in an object `json_schema`.
struct TextFormat {
  std::string type{"text"};  ///< "text", "json_object" or "json_schema"
  std::string name{};
  std::optional<std::string> description{};
  std::optional<Json> schema{};
  std::optional<bool> strict{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextFormat&, const TextFormat&);
};

struct TextConfig {
  std::optional<TextFormat> format{};
  std::optional<std::string> verbosity{};  ///< OpenAI: "low", "medium" or "high"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextConfig&, const TextConfig&);
};

/// Reasoning models only.
struct ReasoningConfig {
  std::optional<ReasoningEffort> effort{};         ///< Databricks: low, medium or high; default medium
  std::optional<std::string> summary{};            ///< OpenAI: "auto", "concise" or "detailed"
  std::optional<std::string> encrypted_content{};  ///< as Databricks' documents list it
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningConfig&, const ReasoningConfig&);
};

/// A prompt template that the server keeps, and what to fill in.
struct Prompt {
  std::string id{};
  std::optional<std::string> version{};
  std::optional<Json> variables{};  ///< an object
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Prompt&, const Prompt&);
};

/// A conversation that the server keeps (OpenAI).
struct Conversation {
  std::string id{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Conversation&, const Conversation&);
};
using ConversationChoice = std::variant<std::string, Conversation>;

/// A request. Databricks answers 400 to background, store, conversation and service_tier, whatever their
/// value.
struct Request {
  /// Required, on every provider and path.
  std::string model{};
  /// Required unless `prompt` or a kept conversation has it.
  Input input{};
  std::optional<std::string> instructions{};        ///< a system message before the input
  std::optional<std::int64_t> max_output_tokens{};  ///< > 0, OpenAI >= 16; counts reasoning too
  std::optional<double> temperature{};              ///< 0 to 2; default 1
  std::optional<double> top_p{};                    ///< above 0, up to 1; default 1
  /// What the call is made as decides: `create` sends false and `stream` true, whatever is set here.
  std::optional<bool> stream{};
  std::optional<StreamOptions> stream_options{};  ///< only with `stream`
  std::optional<TextConfig> text{};
  std::optional<ReasoningConfig> reasoning{};
  std::vector<Tool> tools{};
  std::optional<ToolChoice> tool_choice{};       ///< default "auto"
  std::optional<bool> parallel_tool_calls{};     ///< default true
  std::optional<std::int64_t> max_tool_calls{};  ///< > 0; calls of hosted tools
  Dictionary<std::string> metadata{};       ///< at most 16 pairs; OpenAI: keys up to 64, values up to 512
  std::vector<std::string> include{};       ///< "reasoning.encrypted_content", "message.output_text.logprobs"
  std::optional<std::string> truncation{};  ///< "auto" or "disabled"; default "disabled"
  std::optional<std::int64_t> top_logprobs{};  ///< 0 to 20
  std::optional<std::string> prompt_cache_key{};
  std::optional<std::string> prompt_cache_retention{};  ///< "24h"; OpenAI also "in_memory"
  std::optional<std::string> safety_identifier{};       ///< at most 64 characters
  std::optional<Prompt> prompt{};
  std::optional<std::string> user{};  ///< deprecated: see safety_identifier and prompt_cache_key
  std::optional<bool> background{};   ///< OpenAI
  std::optional<bool> store{};        ///< OpenAI, default true
  std::optional<ConversationChoice> conversation{};   ///< OpenAI
  std::optional<std::string> service_tier{};          ///< OpenAI
  std::optional<std::string> previous_response_id{};  ///< OpenAI: goes on from a stored response
  std::optional<Json> custom_inputs{};                ///< agents on Databricks
  std::optional<Json> context{};                      ///< agents on Databricks
  std::optional<Json> databricks_options{};           ///< agents on Databricks: `{"return_trace": true}`
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

struct StatusWords {
  static constexpr std::string_view queued = "queued";
  static constexpr std::string_view in_progress = "in_progress";
  static constexpr std::string_view completed = "completed";
  static constexpr std::string_view incomplete = "incomplete";
  static constexpr std::string_view failed = "failed";
  static constexpr std::string_view cancelled = "cancelled";
};
/// How far a response is.
using Status = OpenEnum<StatusWords>;

/// Why a response failed.
struct ResponseError {
  std::string code{};
  std::string message{};
  std::optional<std::string> param{};  ///< Databricks
  std::optional<std::string> type{};   ///< Databricks
  Extra extra{};

  /// Whether the same request may succeed later: a fault of the server, or a rate limit.
  INFERWIRE_API bool retryable() const noexcept;
  /// The same as an Error{response_failed}, as the stream of a failed response ends with it.
  INFERWIRE_API Error as_error() const;

  INFERWIRE_API friend bool operator==(const ResponseError&, const ResponseError&);
};

struct IncompleteDetails {
  std::string reason{};  ///< "max_output_tokens" or "content_filter"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const IncompleteDetails&, const IncompleteDetails&);
};

/// A response. A failed one is a Response too where no stream was asked for: see `status` and `error`.
struct Response {
  std::string id{};      ///< opaque; Databricks encrypts it, and it may be longer than 64 characters
  std::string object{};  ///< "response"
  std::optional<double> created_at{};  ///< Unix time in seconds; agents on Databricks send a fraction
  std::optional<Status> status{};      ///< agents on Databricks may send none
  std::optional<double> completed_at{};
  std::optional<ResponseError> error{};
  std::optional<IncompleteDetails> incomplete_details{};
  std::optional<Input> instructions{};
  std::optional<std::int64_t> max_output_tokens{};
  std::string model{};  ///< the version that answered
  std::vector<Item> output{};
  std::optional<bool> parallel_tool_calls{};
  std::optional<std::string> previous_response_id{};
  std::optional<ReasoningConfig> reasoning{};
  std::optional<bool> store{};
  std::optional<double> temperature{};
  std::optional<TextConfig> text{};
  std::optional<ToolChoice> tool_choice{};
  std::vector<Tool> tools{};
  std::optional<double> top_p{};
  std::optional<std::string> truncation{};
  std::optional<Usage> usage{};
  std::optional<std::string> user{};
  Dictionary<std::string> metadata{};
  std::optional<bool> background{};
  std::optional<ConversationChoice> conversation{};
  std::optional<Prompt> prompt{};
  std::optional<std::string> service_tier{};
  std::optional<std::int64_t> top_logprobs{};
  std::optional<std::int64_t> max_tool_calls{};
  std::optional<std::string> prompt_cache_key{};
  std::optional<std::string> prompt_cache_retention{};
  std::optional<std::string> safety_identifier{};
  std::optional<Json> moderation{};
  std::optional<Json> custom_outputs{};  ///< agents on Databricks
  Extra extra{};

  /// The output texts of all messages, joined; "" when there are none.
  INFERWIRE_API std::string output_text() const;
  /// The model's reasoning: the texts of the reasoning items, or where they have none their summaries.
  INFERWIRE_API std::string reasoning_text() const;
  /// The model's words for not answering; "" when it answered.
  INFERWIRE_API std::string refusal() const;
  /// The function calls in the order of the output. They point into this response.
  INFERWIRE_API std::vector<const FunctionCall*> tool_calls() const&;
  std::vector<const FunctionCall*> tool_calls() const&& = delete;
  /// Why it ended, in one word for all providers: tool_calls where a completed response calls functions.
  INFERWIRE_API Finish finish() const noexcept;

  /// The output as input of the next turn: ids cut to 64 characters, and what servers send but do not take
  /// (status, logprobs, nulls) left out. Reasoning that only the server could look up, and which it did not
  /// store, is left out as a whole.
  INFERWIRE_API std::vector<Item> to_input_items() const;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

class Event;

/// The document as it travels, for logs and files. Errors: invalid_request, with the path, as when it is
/// sent.
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Event& event);

/// Folds events into the Response that the call without streaming would have given. `Stream::collect()` uses
/// it; it works on events from anywhere, begun with `response.created` or not. It never fails: what it cannot
/// place is left out, and bounds (1,024 items, 1,024 parts an item) keep hostile indices from growing it. Not
/// thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  void add(const Event& event);

  /// What has arrived so far.
  Response partial() const;
  /// The answer, moved out. `complete` false marks a stream that broke: calls that had not ended are then
  /// flagged by `"incomplete": true` in their `extra`, for their arguments may be cut.
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace responses
}  // namespace inferwire::inline v0_1
