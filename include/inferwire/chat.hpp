/// \file
/// Chat completions: requests, answers, stream chunks, and the accumulator that folds chunks into an answer.
/// Messages are in chat_message.hpp.
///
/// Members have the names of the JSON documents. `Optional` means "may be absent". An empty string or list
/// that is not optional is not sent, unless the protocol requires it. Members that a struct does not name are
/// kept in its `extra`, byte for byte, and sent again. Comments say what each provider accepts; nothing is
/// sent that was not set.
#pragma once

#include "inferwire/chat_message.hpp"
#include "inferwire/dictionary.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/prompt_cache_options.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/usage.hpp"
#include "inferwire/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

namespace chat {

using inferwire::Finish;
using inferwire::FinishReason;
using inferwire::PromptCacheOptions;
using inferwire::StreamOptions;

using inferwire::ReasoningEffort;
using inferwire::TokenLogprob;
using inferwire::ToolChoiceMode;
using inferwire::TopLogprob;

/// A function that the model may call.
struct FunctionDefinition {
  std::string name{};  ///< letters, digits, "_" and "-"; OpenAI: at most 64
  /// For the model: what it does, and when to call it. Documented as required by Databricks; AI21 wants this
  /// or `parameters`.
  Optional<std::string> description{};
  Optional<Json> parameters{};  ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  Optional<bool> strict{};      ///< arguments follow the schema exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionDefinition&, const FunctionDefinition&);
};

/// The grammar that the input of a custom tool has to match (OpenAI).
struct Grammar {
  std::string syntax{"lark"};  ///< "lark" or "regex"
  std::string definition{};    ///< the grammar, or the regular expression
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Grammar&, const Grammar&);
};

/// The format of a custom tool's input.
struct CustomToolFormat {
  std::string type{"text"};     ///< "text" or "grammar"
  Optional<Grammar> grammar{};  ///< required for type "grammar"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolFormat&, const CustomToolFormat&);
};

/// A tool that takes the model's text itself instead of JSON arguments (OpenAI).
struct CustomToolDefinition {
  std::string name{};                   ///< letters, digits, "_" and "-"
  Optional<std::string> description{};  ///< for the model: what it does, and when to call it
  Optional<CustomToolFormat> format{};  ///< absent: any text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolDefinition&, const CustomToolDefinition&);
};

/// What the model may call. `function` is set for type "function", `custom` for "custom".
struct Tool {
  std::string type{"function"};  ///< "function" or "custom"; Databricks and AI21: only the first
  Optional<FunctionDefinition> function{};
  Optional<CustomToolDefinition> custom{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Tool&, const Tool&);
};

/// Names a function or a custom tool.
struct NamedFunction {
  std::string name{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedFunction&, const NamedFunction&);
};

/// A subset of the request's tools. A conversation can list the same tools in all its requests, so that the
/// cached prompt stays the same, and allow different ones each time.
struct AllowedTools {
  ToolChoiceMode mode{ToolChoiceMode::automatic};  ///< "auto", or "required": at least one is called
  std::vector<Tool> tools{};                       ///< types and names are enough
  Extra extra{};

  INFERWIRE_API friend bool operator==(const AllowedTools&, const AllowedTools&);
};

/// Forces a call of one tool, or allows only some.
struct NamedToolChoice {
  std::string type{"function"};  ///< "function", "custom" or "allowed_tools"
  Optional<NamedFunction> function{};
  Optional<NamedFunction> custom{};        ///< the custom tool (OpenAI)
  Optional<AllowedTools> allowed_tools{};  ///< required for type "allowed_tools" (OpenAI)
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedToolChoice&, const NamedToolChoice&);
};
/// Whether tools are called, and which: "none", "auto", "required", one named tool, or a subset.
using ToolChoice = std::variant<ToolChoiceMode, NamedToolChoice>;

/// The schema of an answer, for ResponseFormat.
struct JsonSchema {
  std::string name{};                   ///< required; letters, digits, "_" and "-"
  Optional<std::string> description{};  ///< for the model: what the document is for
  Optional<Json> schema{};              ///< required by Databricks
  Optional<bool> strict{};  ///< the answer fits exactly; a subset of JSON schema only. Default false
  Extra extra{};

  INFERWIRE_API friend bool operator==(const JsonSchema&, const JsonSchema&);
};

/// The format of the answer. AI21 supports only text and json_object.
struct ResponseFormat {
  std::string type{"text"};            ///< "text", "json_object" or "json_schema"
  Optional<JsonSchema> json_schema{};  ///< required for type "json_schema"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ResponseFormat&, const ResponseFormat&);
};

/// Extended thinking on Databricks, of Claude and of Gemini 2.5.
struct Thinking {
  std::string type{"enabled"};             ///< the only value that is documented for chat
  Optional<std::int64_t> budget_tokens{};  ///< less than `max_tokens`; Claude: at least 1024
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Thinking&, const Thinking&);
};

/// One entry of Document::metadata.
struct KeyValue {
  std::string key{};
  std::string value{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const KeyValue&, const KeyValue&);
};

/// AI21: context for the answer. `metadata` is a list, as documented, or a map, as AI21's own SDK sends it.
struct Document {
  Optional<std::string> id{};  ///< identifies the document
  std::string content{};       ///< required; plain text
  /// Facts about the document that the model can read.
  Optional<std::variant<std::vector<KeyValue>, Dictionary<std::string>>> metadata{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Document&, const Document&);
};

/// One or more strings that end the answer; they are not part of it.
using Stop = TextOrList<std::string>;

/// Text that most of the answer will repeat, for example when a file is edited; such answers are faster
/// (OpenAI).
struct Prediction {
  std::string type{"content"};  ///< the only value
  Content content;              ///< text, or text parts
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Prediction&, const Prediction&);
};

/// A custom voice (OpenAI).
struct CustomVoice {
  std::string id{};  ///< "voice_1234"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomVoice&, const CustomVoice&);
};

/// The voice and format of an audio answer (OpenAI).
struct AudioOutput {
  std::variant<std::string, CustomVoice> voice;  ///< "alloy", "coral" ...
  std::string format{};  ///< "wav", "aac", "mp3", "flac", "opus" or "pcm16"; in streams "pcm16"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const AudioOutput&, const AudioOutput&);
};

/// A chat completion request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. From the oldest to the newest.
  std::vector<Message> messages{};
  /// The maximum number of tokens in the answer, 1 or more; default: up to the model's context window. AI21:
  /// 0 to 4096, default 4096. OpenAI's reasoning models require `max_completion_tokens` instead.
  Optional<std::int64_t> max_tokens{};
  /// OpenAI: the maximum number of tokens, including reasoning tokens; 1 or more. Databricks refuses it.
  Optional<std::int64_t> max_completion_tokens{};
  /// Sampling temperature, 0 (the likeliest tokens) to 2 (most random); default 1, AI21 0.4.
  Optional<double> temperature{};
  /// Tokens are chosen from the likeliest that together have this probability: above 0 (OpenAI, AI21: from
  /// 0), up to 1; default 1.
  Optional<double> top_p{};
  /// Tokens are chosen from this many of the likeliest: 1 or more; default all. Databricks, vLLM.
  Optional<std::int64_t> top_k{};
  /// Strings that end the answer; none may be empty. OpenAI: at most 4; AI21: each up to 64K characters.
  /// Default none.
  Optional<Stop> stop{};
  /// How many answers to generate, 1 or more; default 1. Databricks: provisioned throughput only; AI21: 1 to
  /// 16, but 1 in streams and at temperature 0; OpenAI: up to 128.
  Optional<std::int64_t> n{};
  /// Set by the call: `create` sends false and `stream` sends true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};  ///< what else a stream contains; only with `stream`
  /// Makes the same request give the same answer, as far as the provider can guarantee it. OpenAI, LMI.
  Optional<std::int64_t> seed{};
  /// -2 to 2, default 0: above 0, a token becomes less likely each time it appears. OpenAI, LMI.
  Optional<double> frequency_penalty{};
  /// -2 to 2, default 0: above 0, a token that has appeared becomes less likely, however often it has.
  /// OpenAI, LMI.
  Optional<double> presence_penalty{};
  /// Maps token ids to a bias, -100 (never) to 100 (always). OpenAI, LMI.
  Dictionary<double> logit_bias{};
  /// Whether the answer reports the log probabilities of its tokens: Choice::logprobs. Default false. LMI:
  /// only with a `top_logprobs` above 0; not AI21.
  Optional<bool> logprobs{};
  /// How many alternatives are listed at each position, 0 to 20; requires `logprobs`.
  Optional<std::int64_t> top_logprobs{};
  Optional<ResponseFormat> response_format{};  ///< default: plain text
  /// The tools that the model may call. Databricks: at most 32, OpenAI: 128; AI21: not in streams.
  std::vector<Tool> tools{};
  Optional<ToolChoice> tool_choice{};  ///< only with tools; default "auto"; not AI21
  /// Whether one answer may contain several tool calls; default true. OpenAI, vLLM.
  Optional<bool> parallel_tool_calls{};
  /// Reasoning models only; the default depends on the model. OpenAI: only with none are `temperature` and
  /// `top_p` accepted, and from GPT-5.6 on `tools`.
  Optional<ReasoningEffort> reasoning_effort{};
  Optional<Thinking> thinking{};      ///< Databricks: Claude, Gemini 2.5
  std::vector<Document> documents{};  ///< AI21: documents to base the answer on
  /// Identifies the end user, so that the provider can detect abuse. OpenAI (deprecated there), LMI, vLLM.
  Optional<std::string> user{};
  Optional<std::string> safety_identifier{};  ///< OpenAI: identifies the end user; up to 128 characters
  Optional<std::string> prompt_cache_key{};   ///< OpenAI: requests with the same key are cached together
  Optional<PromptCacheOptions> prompt_cache_options{};  ///< OpenAI: how the prompt is cached
  Optional<std::string> prompt_cache_retention{};       ///< OpenAI, deprecated: "24h"
  Optional<std::string> service_tier{};   ///< OpenAI: "auto" (default), "default", "flex", "priority", "fast"
  Optional<std::string> verbosity{};      ///< OpenAI: "low", "medium" (default) or "high"
  Optional<Prediction> prediction{};      ///< OpenAI: text that most of the answer will repeat
  std::vector<std::string> modalities{};  ///< OpenAI: "text" (default), "audio"
  Optional<AudioOutput> audio{};          ///< OpenAI: required for audio answers
  Optional<Json> web_search_options{};  ///< OpenAI, models with web search: `{}`, or an object with settings
  Optional<bool> store{};               ///< OpenAI: whether the answer is stored
  /// OpenAI: at most 16 pairs, keys up to 64 characters, values up to 512
  Dictionary<std::string> metadata{};
  Optional<bool> ignore_eos{};                ///< LMI, vLLM: generate until `max_tokens`
  Optional<std::string> client_request_id{};  ///< Databricks: recorded in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: recorded in the usage table
  /// Databricks: parameters for the external model behind the endpoint, in the form of its provider.
  Optional<Json> extra_params{};
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// The log probabilities of the tokens of an answer, in order.
struct Logprobs {
  std::vector<TokenLogprob> content{};  ///< tokens of the answer's text
  std::vector<TokenLogprob> refusal{};  ///< tokens of the refusal
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Logprobs&, const Logprobs&);
};

/// One of the answers to a request.
struct Choice {
  std::int64_t index{};                    ///< may differ from its position; 0 if one choice was asked for
  Message message{};                       ///< empty if a filter withheld it
  Optional<FinishReason> finish_reason{};  ///< why it ended, in the server's words
  Optional<Logprobs> logprobs{};           ///< if the request asked for them
  Optional<Json> stop_reason{};            ///< vLLM: the stop string or token id
  Optional<Json> extra_fields{};           ///< Databricks with external models: safetyRating
  Extra extra{};

  /// Why this choice ended, in the same terms for all providers.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Choice&, const Choice&);
};

/// A chat completion.
struct Response {
  std::string id{};                  ///< the server's id of the answer, for logs
  std::string object{};              ///< "chat.completion"; AI21 sends none
  Optional<std::int64_t> created{};  ///< Unix time in seconds; AI21 sends none
  std::string model{};               ///< the model version that answered, not the endpoint's name
  std::vector<Choice> choices{};     ///< `n` of them, in the server's order; may be empty
  Optional<Usage> usage{};
  Optional<std::string> service_tier{};        ///< OpenAI: the service tier that was used
  Optional<std::string> system_fingerprint{};  ///< changes when the provider changes the backend
  Extra extra{};

  /// The message of choice 0, wherever it is in the list; if no choice has the index 0, that of the first in
  /// the list; nullptr if there are no choices. The pointer is valid as long as this response.
  INFERWIRE_API const Message* message() const& noexcept INFERWIRE_LIFETIMEBOUND;
  const Message* message() const&& = delete;
  /// `message()`, to be added to the next request: see Message::as_request. Absent if there is none.
  INFERWIRE_API Optional<Message> as_request(KeepReasoning reasoning = KeepReasoning::beside_calls) const;
  /// The text of `message()`; "" if there is none.
  INFERWIRE_API std::string text() const;
  /// The reasoning of `message()`, wherever the provider puts it; "" if there is none.
  INFERWIRE_API std::string reasoning_text() const;
  /// The model's refusal; "" if it answered.
  INFERWIRE_API std::string refusal() const;
  /// The tool calls of `message()`, in order. The pointers are valid as long as this response. Beware:
  /// `create(request)->tool_calls()` compiles but returns dangling pointers.
  INFERWIRE_API std::vector<const ToolCall*> tool_calls() const&;
  std::vector<const ToolCall*> tool_calls() const&& = delete;
  /// Why the choice of `message()` ended.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// A fragment of a function call.
struct FunctionCallDelta {
  Optional<std::string> name{};       ///< complete, in the first fragment
  Optional<std::string> arguments{};  ///< a fragment of JSON text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallDelta&, const FunctionCallDelta&);
};

/// A fragment of a custom tool call (OpenAI).
struct CustomCallDelta {
  Optional<std::string> name{};   ///< complete, in the first fragment
  Optional<std::string> input{};  ///< a fragment of the input
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomCallDelta&, const CustomCallDelta&);
};

/// A fragment of a tool call. Fragments with the same `index` belong together.
struct ToolCallDelta {
  Optional<std::int64_t> index{};  ///< the number of the call in the message; some servers omit it
  Optional<std::string> id{};      ///< in the first fragment
  Optional<std::string> type{};    ///< in the first fragment
  Optional<FunctionCallDelta> function{};
  Optional<CustomCallDelta> custom{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ToolCallDelta&, const ToolCallDelta&);
};

/// What a chunk adds to a message.
struct Delta {
  Optional<Role> role{};        ///< only guaranteed in the first chunk
  Optional<Content> content{};  ///< a fragment of the text
  std::vector<ToolCallDelta> tool_calls{};
  Optional<std::string> refusal{};              ///< a fragment
  Optional<std::string> reasoning_content{};    ///< a fragment; vLLM, LMI
  Optional<std::string> reasoning{};            ///< the newer name of `reasoning_content`
  Optional<FunctionCallDelta> function_call{};  ///< deprecated by OpenAI
  Extra extra{};

  /// The text that this adds; "" if none.
  INFERWIRE_API std::string text() const;
  /// The reasoning that this adds, wherever and under whichever name the server sends it; "" if none.
  INFERWIRE_API std::string reasoning_text() const;

  INFERWIRE_API friend bool operator==(const Delta&, const Delta&);
};

/// What a chunk adds to one of the answers.
struct ChunkChoice {
  std::int64_t index{};  ///< the number of the answer, among the `n` requested
  Delta delta{};
  Optional<FinishReason> finish_reason{};  ///< in the last chunk of the answer
  Optional<Logprobs> logprobs{};           ///< for the tokens of this chunk only
  Optional<Json> stop_reason{};            ///< vLLM: the stop string or token id
  Extra extra{};

  /// Why this answer ended, in the same terms for all providers; `none` in every chunk but the answer's last.
  /// A chunk does not know of tool calls in earlier chunks, so LMI's `eos_token` after them reads as `stop`;
  /// the Response of an Accumulator says tool_calls.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const ChunkChoice&, const ChunkChoice&);
};

/// One element of a chat stream.
struct Chunk {
  std::string id{};                            ///< the same in all chunks of an answer
  std::string object{};                        ///< "chat.completion.chunk"
  Optional<std::int64_t> created{};            ///< Unix time in seconds
  std::string model{};                         ///< the version that answers
  std::vector<ChunkChoice> choices{};          ///< may be empty, for example in the chunk with the usage
  Optional<Usage> usage{};                     ///< a running total on some servers: the last one counts
  Optional<std::string> service_tier{};        ///< OpenAI
  Optional<std::string> system_fingerprint{};  ///< OpenAI
  Optional<std::string> obfuscation{};         ///< padding, OpenAI
  Extra extra{};

  /// The text that this chunk adds to choice 0; "" if none. For other choices, see their delta.
  INFERWIRE_API std::string text() const;
  /// The reasoning that this chunk adds to choice 0; "" if none.
  INFERWIRE_API std::string reasoning_text() const;

  INFERWIRE_API friend bool operator==(const Chunk&, const Chunk&);
};

/// The JSON document, for logs and files. It lacks what a call adds by its kind and its provider, such as
/// `stream`, a model in the path and nested tools: for the body of a call see raw_request (batch.hpp).
/// Errors: invalid_request, with the path, as when it is sent.
INFERWIRE_API Result<Json> to_json(const Message& message);
INFERWIRE_API Result<Json> to_json(const std::vector<Message>& messages);
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Chunk& chunk);

/// Combines chunks into the Response that a call without streaming would have returned. `Stream::collect()`
/// uses it; it works on chunks from any source. It never fails: what does not fit is dropped, and limits
/// (65,536 choices, 1024 tool calls per choice) protect it from hostile indices. Not thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  /// Leaves the other one as if newly constructed.
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  /// Adds a chunk. Chunks have to be added in stream order.
  void add(const Chunk& chunk);

  /// The tool calls of choice 0 that have become complete since the last call of this function, in order,
  /// each once: to show them, or to prepare for them, while the answer continues. A tool call is complete
  /// when its arguments are complete and the next one has begun, or when the choice has ended, unless it was
  /// ended by the token limit or a filter, which may have truncated the call.
  std::vector<ToolCall> new_tool_calls();

  /// How many choices have a finish reason, and how many have begun.
  std::size_t finished_choices() const noexcept;
  std::size_t started_choices() const noexcept;

  /// The answer as far as it has arrived. The generated id of a tool call that came without one changes while
  /// its arguments grow.
  Response partial() const;
  /// Returns the answer, moved out. The tool calls of choices that the token limit, a filter or an error
  /// ended are marked incomplete (ToolCall::is_incomplete); those of choices without a finish reason if
  /// `complete` is false, which means that the stream was cut off, or if their arguments are not JSON, as ""
  /// is not. A tool call that came without an id gets one, made from the answer's id and time and from what
  /// it calls (ToolCall::has_generated_id).
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chat

extern template struct INFERWIRE_API detail::Lifetime<chat::ToolChoice>;
extern template struct INFERWIRE_API detail::Lifetime<chat::Logprobs>;

using chat::to_json;  // so that it may be qualified like `from_json`

/// The inverse of `chat::to_json`.
template <>
INFERWIRE_API Result<chat::Message> from_json(const Json& document);
template <>
INFERWIRE_API Result<std::vector<chat::Message>> from_json(const Json& document);
template <>
INFERWIRE_API Result<chat::Request> from_json(const Json& document);
template <>
INFERWIRE_API Result<chat::Response> from_json(const Json& document);
template <>
INFERWIRE_API Result<chat::Chunk> from_json(const Json& document);

}  // namespace inferwire::inline v0_1
