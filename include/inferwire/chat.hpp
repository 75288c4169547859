/// \file
/// Chat completions: requests, answers, stream chunks, and the accumulator that folds chunks into an answer.
/// Messages are in chat_message.hpp.
///
/// Members carry the wire's names. `Optional` means "may be absent". A plain string or list that is
/// empty is not sent, unless the wire requires it. Members that a struct does not name are kept in its
/// `extra`, byte for byte, and sent again. Comments say what each provider accepts; nothing is sent that was
/// not set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inferwire/chat_message.hpp"
#include "inferwire/dictionary.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/from_json.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/stream_options.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/usage.hpp"
#include "inferwire/vocabulary.hpp"

namespace inferwire::inline v0_1 {

namespace chat {

using inferwire::Finish;
using inferwire::finish_of;
using inferwire::FinishReason;
using inferwire::name;
using inferwire::StreamOptions;

using inferwire::ReasoningEffort;
using inferwire::TokenLogprob;
using inferwire::ToolChoiceMode;
using inferwire::TopLogprob;

/// A function that the model may call.
struct FunctionDefinition {
  std::string name{};                   ///< letters, digits, "_" and "-"; OpenAI: at most 64
  Optional<std::string> description{};  ///< for the model: what it does, and when to call it
  Optional<Json> parameters{};  ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  Optional<bool> strict{};      ///< arguments follow the schema exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionDefinition&, const FunctionDefinition&);
};

/// What the text for a custom tool has to fit (OpenAI).
struct Grammar {
  std::string syntax{"lark"};  ///< "lark" or "regex"
  std::string definition{};    ///< the grammar, or the regular expression
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Grammar&, const Grammar&);
};

/// The form of the text for a custom tool.
struct CustomToolFormat {
  std::string type{"text"};     ///< "text" or "grammar"
  Optional<Grammar> grammar{};  ///< required for type "grammar"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolFormat&, const CustomToolFormat&);
};

/// A tool that takes what the model writes, as it is, in place of JSON (OpenAI).
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

/// A function, or a custom tool, by its name.
struct NamedFunction {
  std::string name{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedFunction&, const NamedFunction&);
};

/// Some of the request's tools. A conversation can list the same tools in all its requests, so that the
/// prompt that the service has cached stays the same, and allow others each time.
struct AllowedTools {
  ToolChoiceMode mode{ToolChoiceMode::automatic};  ///< "auto", or "required": one at least is called
  std::vector<Tool> tools{};                       ///< their types and names are enough
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
/// Whether and which tools are called: "none", "auto", "required", one of them, or of some.
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

/// The form of the answer. AI21 knows text and json_object only.
struct ResponseFormat {
  std::string type{"text"};            ///< "text", "json_object" or "json_schema"
  Optional<JsonSchema> json_schema{};  ///< required for type "json_schema"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ResponseFormat&, const ResponseFormat&);
};

/// Extended thinking of Claude models on Databricks.
struct Thinking {
  std::string type{"enabled"};             ///< the only kind that is documented
  Optional<std::int64_t> budget_tokens{};  ///< at least 1024, less than `max_tokens`
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Thinking&, const Thinking&);
};

/// A pair.
struct KeyValue {
  std::string key{};
  std::string value{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const KeyValue&, const KeyValue&);
};

/// AI21: context for the answer. `metadata` is a list, as documented, or a map, as AI21's own SDK sends it.
struct Document {
  Optional<std::string> id{};  ///< a name for it
  std::string content{};       ///< required; plain text
  /// Facts about the document, for the model to read.
  Optional<std::variant<std::vector<KeyValue>, Dictionary<std::string>>> metadata{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Document&, const Document&);
};

/// One or more texts that end the answer; they are not part of it.
using Stop = TextOrList<std::string>;

/// Text that most of the answer will repeat, as when a file is edited: such answers come faster (OpenAI).
struct Prediction {
  std::string type{"content"};  ///< the only kind
  Content content;              ///< text, or parts of text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Prediction&, const Prediction&);
};

/// A voice that was made for the caller (OpenAI).
struct CustomVoice {
  std::string id{};  ///< "voice_1234"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomVoice&, const CustomVoice&);
};

/// How an answer in sound is spoken (OpenAI).
struct AudioOutput {
  std::variant<std::string, CustomVoice> voice;  ///< "alloy", "coral" ...
  std::string format{};  ///< "wav", "aac", "mp3", "flac", "opus" or "pcm16"; streamed: "pcm16"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const AudioOutput&, const AudioOutput&);
};

/// A chat completion request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. From the oldest to the newest.
  std::vector<Message> messages{};
  /// The most tokens of the answer, 1 and above; default: up to the model's window. AI21: 0 to 4096, default
  /// 4096. OpenAI's reasoning models want `max_completion_tokens` instead.
  Optional<std::int64_t> max_tokens{};
  /// OpenAI: the same, including the tokens of reasoning; 1 and above. Databricks refuses it.
  Optional<std::int64_t> max_completion_tokens{};
  /// 0 (the likeliest tokens) to 2 (wild); default 1, AI21 0.4.
  Optional<double> temperature{};
  /// Tokens are chosen among the likeliest that together have this probability: above 0 (AI21: from 0), up to
  /// 1; default 1.
  Optional<double> top_p{};
  /// Tokens are chosen among this many of the likeliest: 1 and above; default all. Databricks, vLLM.
  Optional<std::int64_t> top_k{};
  /// None may be empty. OpenAI: at most 4; AI21: each up to 64K characters. Default none.
  Optional<Stop> stop{};
  /// How many answers, 1 and above; default 1. Databricks: provisioned throughput only; AI21: 1 to 16;
  /// OpenAI: up to 128.
  Optional<std::int64_t> n{};
  /// Set by the call: `create` sends false and `stream` true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};  ///< what else a stream reports; only with `stream`
  /// Makes the same request give the same answer, as far as the provider can. OpenAI, LMI.
  Optional<std::int64_t> seed{};
  /// -2 to 2, default 0: above 0, a token becomes less likely each time it appears. OpenAI, LMI.
  Optional<double> frequency_penalty{};
  /// -2 to 2, default 0: the same, once for any token that has appeared. OpenAI, LMI.
  Optional<double> presence_penalty{};
  /// Token number to bias, -100 (never) to 100 (always). OpenAI, LMI.
  Dictionary<double> logit_bias{};
  /// Whether the answer reports how probable its tokens were: Choice::logprobs. Default false.
  Optional<bool> logprobs{};
  /// How many alternatives it lists at each position, 0 to 20; needs `logprobs`.
  Optional<std::int64_t> top_logprobs{};
  Optional<ResponseFormat> response_format{};  ///< default: plain text
  /// What the model may call. Databricks: at most 32, OpenAI: 128.
  std::vector<Tool> tools{};
  Optional<ToolChoice> tool_choice{};  ///< only with tools; default "auto"
  /// Whether one answer may hold several calls; default true. OpenAI, vLLM.
  Optional<bool> parallel_tool_calls{};
  /// Reasoning models only. Databricks: low, medium or high; default medium.
  Optional<ReasoningEffort> reasoning_effort{};
  Optional<Thinking> thinking{};      ///< Databricks: Claude only
  std::vector<Document> documents{};  ///< AI21: what the answer is based on
  /// Identifies the end user, so that the provider can detect abuse. OpenAI (deprecated there), vLLM.
  Optional<std::string> user{};
  Optional<std::string> safety_identifier{};       ///< OpenAI: identifies the end user; up to 64 characters
  Optional<std::string> prompt_cache_key{};        ///< OpenAI: requests with the same key are cached together
  Optional<std::string> prompt_cache_retention{};  ///< OpenAI: "24h" or "in_memory"
  Optional<std::string> service_tier{};       ///< OpenAI: "auto" (default), "default", "flex", "priority"
  Optional<std::string> verbosity{};          ///< OpenAI: "low", "medium" (default) or "high"
  Optional<Prediction> prediction{};          ///< OpenAI: what most of the answer is known to be
  std::vector<std::string> modalities{};      ///< OpenAI: "text" (default), "audio"
  Optional<AudioOutput> audio{};              ///< OpenAI: required for answers in sound
  Optional<Json> web_search_options{};        ///< OpenAI, models that search: `{}` or with members
  Optional<bool> store{};                     ///< OpenAI: whether the answer is kept for later
  Dictionary<std::string> metadata{};         ///< OpenAI: at most 16 pairs, keys up to 64, values up to 512
  Optional<bool> ignore_eos{};                ///< LMI, vLLM: the answer goes on to `max_tokens`
  Optional<std::string> client_request_id{};  ///< Databricks: kept in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: kept in the usage table
  /// Databricks: parameters of the model behind the endpoint, in its own provider's form.
  Optional<Json> extra_params{};
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

/// How probable the tokens of an answer were, in order.
struct Logprobs {
  std::vector<TokenLogprob> content{};  ///< tokens of the answer's text
  std::vector<TokenLogprob> refusal{};  ///< tokens of the refusal
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Logprobs&, const Logprobs&);
};

/// One of the answers.
struct Choice {
  std::int64_t index{};                    ///< may differ from its position in the list
  Message message{};                       ///< empty where a filter withheld it
  Optional<FinishReason> finish_reason{};  ///< why it ended, in the server's word
  Optional<Logprobs> logprobs{};           ///< when the request asked for them
  Optional<Json> stop_reason{};            ///< vLLM: the stop string or token id
  Optional<Json> extra_fields{};           ///< Databricks with external models: safetyRating
  Extra extra{};

  /// Why this choice ended, in one word for all providers.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Choice&, const Choice&);
};

/// A chat completion.
struct Response {
  std::string id{};                  ///< the server's name for it, for logs
  std::string object{};              ///< "chat.completion"; AI21 sends none
  Optional<std::int64_t> created{};  ///< Unix time in seconds; AI21 sends none
  std::string model{};               ///< the version that answered, not the endpoint's name
  std::vector<Choice> choices{};     ///< `n` of them, in the server's order; may be empty
  Optional<Usage> usage{};
  Optional<std::string> service_tier{};        ///< OpenAI: the class of service that answered
  Optional<std::string> system_fingerprint{};  ///< changes when the provider changes what answers
  Extra extra{};

  /// The message of choice 0, wherever it is in the list; nullptr if there is none. It points into this
  /// response.
  INFERWIRE_API const Message* message() const& noexcept INFERWIRE_LIFETIMEBOUND;
  const Message* message() const&& = delete;
  /// The message of choice 0 as one of the next request, by Message::as_request; nothing if there is none.
  INFERWIRE_API Optional<Message> as_request() const;
  /// Its text; "" if there is none.
  INFERWIRE_API std::string text() const;
  /// Its reasoning, wherever the provider puts it; "" if there is none.
  INFERWIRE_API std::string reasoning_text() const;
  /// The model's refusal; "" if it answered.
  INFERWIRE_API std::string refusal() const;
  /// Its tool calls, in order. They point into this response:
  /// `create(request)->tool_calls()` compiles, and gives what is gone.
  INFERWIRE_API std::vector<const ToolCall*> tool_calls() const&;
  std::vector<const ToolCall*> tool_calls() const&& = delete;
  /// Why that choice ended.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

/// A piece of a function call.
struct FunctionCallDelta {
  Optional<std::string> name{};       ///< whole, in the first piece
  Optional<std::string> arguments{};  ///< a fragment of JSON text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallDelta&, const FunctionCallDelta&);
};

/// A piece of a call of a custom tool (OpenAI).
struct CustomCallDelta {
  Optional<std::string> name{};   ///< whole, in the first piece
  Optional<std::string> input{};  ///< a fragment of what the model writes
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomCallDelta&, const CustomCallDelta&);
};

/// A piece of a tool call. Pieces of the same `index` belong together.
struct ToolCallDelta {
  Optional<std::int64_t> index{};  ///< the number of the call in the message; some servers leave it out
  Optional<std::string> id{};      ///< in the first piece
  Optional<std::string> type{};    ///< in the first piece
  Optional<FunctionCallDelta> function{};
  Optional<CustomCallDelta> custom{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ToolCallDelta&, const ToolCallDelta&);
};

/// What a chunk adds to a message.
struct Delta {
  Optional<Role> role{};        ///< guaranteed in the first chunk only
  Optional<Content> content{};  ///< a fragment of the text
  std::vector<ToolCallDelta> tool_calls{};
  Optional<std::string> refusal{};              ///< a fragment
  Optional<std::string> reasoning_content{};    ///< a fragment; vLLM, LMI
  Optional<std::string> reasoning{};            ///< the newer name of the same
  Optional<FunctionCallDelta> function_call{};  ///< deprecated by OpenAI
  Extra extra{};

  /// What this adds to the text; "" if nothing.
  INFERWIRE_API std::string text() const;
  /// What this adds to the thoughts, in whichever place and spelling the server sends them; "" if nothing.
  INFERWIRE_API std::string reasoning_text() const;

  INFERWIRE_API friend bool operator==(const Delta&, const Delta&);
};

/// What a chunk adds to one of the answers.
struct ChunkChoice {
  std::int64_t index{};  ///< the number of the answer, of those that `n` asked for
  Delta delta{};
  Optional<FinishReason> finish_reason{};  ///< in the last chunk of the answer
  Optional<Logprobs> logprobs{};           ///< only of the tokens of this chunk
  Optional<Json> stop_reason{};            ///< vLLM: the stop string or token id
  Extra extra{};

  /// Why this answer ended, in one word for all providers; none in all chunks but its last. The calls of
  /// earlier chunks are unknown here, so that LMI's `eos_token` behind them is `stop`: the Response that an
  /// Accumulator gives says tool_calls.
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

  /// What this chunk adds to the text of choice 0; "" if nothing. That of other choices is in their delta.
  INFERWIRE_API std::string text() const;
  /// What this chunk adds to the thoughts of choice 0; "" if nothing.
  INFERWIRE_API std::string reasoning_text() const;

  INFERWIRE_API friend bool operator==(const Chunk&, const Chunk&);
};

/// The document as it is sent, for logs and files. Errors: invalid_request, with the path, as when it is
/// sent.
INFERWIRE_API Result<Json> to_json(const Message& message);
INFERWIRE_API Result<Json> to_json(const std::vector<Message>& messages);
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Chunk& chunk);

/// Folds chunks into the Response that the call without streaming would have given. `Stream::collect()` uses
/// it; it works on chunks from anywhere. It never fails: what it cannot place is dropped, and limits (128
/// choices, 128 tool calls per choice) protect it from hostile indices. Not thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  /// Leaves the other one as if it were new.
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  /// Adds a chunk. Chunks have to be added in the order of their stream.
  void add(const Chunk& chunk);

  /// The tool calls of choice 0 that have become complete since this was last asked, in order, each once: to
  /// show them, or to prepare for them, while the answer goes on. A call is complete when its arguments are
  /// whole and another one has begun behind it, or when the choice has ended; but not by the token limit or a
  /// filter, which may have cut it.
  std::vector<ToolCall> new_tool_calls();

  /// How many choices have a finish reason, and how many have begun.
  std::size_t finished_choices() const noexcept;
  std::size_t started_choices() const noexcept;

  /// What has arrived so far. The id of a tool call that came without one changes while its arguments grow.
  Response partial() const;
  /// The answer, moved out. If `complete` is false the stream broke: tool calls without a finish reason, or
  /// with that of an error, are then incomplete (ToolCall::is_incomplete). So are, in any case, those of them
  /// whose arguments are not JSON, as "". A tool call that came without an id gets one, made from the
  /// answer's id and time and from what it calls (ToolCall::has_generated_id).
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chat

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
