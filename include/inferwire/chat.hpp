/// \file
/// Chat completions: requests, answers, stream chunks, and the accumulator that folds chunks into an answer.
///
/// Members carry the wire's names. `Optional` means "may be absent". A plain string or list that is
/// empty is not sent, unless the wire requires it. Members that a struct does not name are kept in its
/// `extra`, byte for byte, and sent again. What each provider accepts is in the comments; nothing is sent
/// that was not set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inferwire/dictionary.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"
#include "inferwire/open_enum.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/stream_options.hpp"
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
using inferwire::Role;
using inferwire::TokenLogprob;
using inferwire::ToolChoiceMode;
using inferwire::TopLogprob;

/// Marks a prefix of the prompt for caching. Databricks-hosted Claude models only.
struct CacheControl {
  std::string type{"ephemeral"};
  Optional<std::string> ttl{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CacheControl&, const CacheControl&);
};
/// The documents type it as a string, servers use an object: both are read, and sent as chosen.
using CacheControlValue = std::variant<CacheControl, std::string>;

/// Where an image is: a URL, or a data URI ("data:image/png;base64,...").
struct ImageUrl {
  std::string url{};
  Optional<std::string> detail{};  ///< OpenAI: "low", "high" or "auto"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ImageUrl&, const ImageUrl&);
};

struct TextPart {
  static constexpr std::string_view type = "text";
  std::string text{};
  Optional<Json> citations{};  ///< answers of external models
  Optional<CacheControlValue> cache_control{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextPart&, const TextPart&);
};

struct ImagePart {
  static constexpr std::string_view type = "image_url";
  ImageUrl image_url{};
  Optional<CacheControlValue> cache_control{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ImagePart&, const ImagePart&);
};

/// A piece of a model's reasoning. `signature` and `data` have to be sent back unchanged in the next turn.
struct ReasoningSummary {
  std::string type{"summary_text"};  ///< or "summary_encrypted_text"
  Optional<std::string> text{};
  Optional<std::string> signature{};
  Optional<std::string> data{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningSummary&, const ReasoningSummary&);
};

/// A model's reasoning. Databricks: Claude with thinking, and gpt-oss.
struct ReasoningPart {
  static constexpr std::string_view type = "reasoning";
  std::vector<ReasoningSummary> summary{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningPart&, const ReasoningPart&);
};

struct RefusalPart {
  static constexpr std::string_view type = "refusal";
  std::string refusal{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const RefusalPart&, const RefusalPart&);
};

/// A part of a message; parts of other types (audio, files) are Unknown and travel as they are.
using ContentPart = std::variant<TextPart, ImagePart, ReasoningPart, RefusalPart, Unknown>;
/// Plain text, or a list of parts.
using Content = std::variant<std::string, std::vector<ContentPart>>;

/// Which function to call, and with what.
struct FunctionCall {
  std::string name{};
  /// A JSON object as text. It comes from a model: it may be cut, invalid or malicious. "" means {}.
  std::string arguments{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCall&, const FunctionCall&);
};

/// A call of a custom tool (OpenAI), whose input is free text.
struct CustomCall {
  std::string name{};
  std::string input{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomCall&, const CustomCall&);
};

/// A tool that the model wants to have called. `function` is there for type "function", `custom` for
/// "custom".
struct ToolCall {
  std::string id{};
  std::string type{"function"};
  Optional<FunctionCall> function{};
  Optional<CustomCall> custom{};
  Optional<CacheControlValue> cache_control{};
  Extra extra{};

  /// The function's arguments as JSON; `{}` where the server sent none. Error{tool}, with the text in its
  /// body, when they are no JSON: models break off, or write what they like.
  INFERWIRE_API Result<Json> parsed_arguments() const;

  INFERWIRE_API friend bool operator==(const ToolCall&, const ToolCall&);
};

/// A place on the web that an answer cites.
struct UrlCitation {
  std::string url{};
  std::string title{};
  Optional<std::int64_t> start_index{};  ///< characters into the text
  Optional<std::int64_t> end_index{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const UrlCitation&, const UrlCitation&);
};

struct Annotation {
  std::string type{};  ///< "url_citation"
  Optional<UrlCitation> url_citation{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Annotation&, const Annotation&);
};

/// One message of a conversation, sent or received.
struct Message {
  Role role{};
  Optional<Content> content{};  ///< absent beside tool calls
  Optional<std::string> name{};
  Optional<std::string> refusal{};
  std::vector<ToolCall> tool_calls{};    ///< assistant only
  Optional<std::string> tool_call_id{};  ///< role tool only: the call that this message answers
  std::vector<Annotation> annotations{};
  Optional<std::string> reasoning_content{};  ///< vLLM, LMI: the model's reasoning
  Optional<std::string> reasoning{};          ///< the newer name of the same
  Optional<FunctionCall> function_call{};     ///< deprecated by OpenAI
  Optional<Json> audio{};
  Optional<CacheControlValue> cache_control{};
  Extra extra{};

  /// The content's text: the string, or its text parts joined; "" when there is none.
  INFERWIRE_API std::string text() const;
  /// The model's reasoning, wherever the provider puts it; "" when there is none.
  INFERWIRE_API std::string reasoning_text() const;
  /// This answer as a message of the next request to the same provider: without what only answers have
  /// (annotations, audio, reasoning as text, unknown members, which some providers refuse), with what has to
  /// come back unchanged (reasoning blocks with their signatures, tool calls with all they hold).
  INFERWIRE_API Message as_request() const;

  INFERWIRE_API friend bool operator==(const Message&, const Message&);
};

INFERWIRE_API Message system(std::string text);
INFERWIRE_API Message user(std::string text);
INFERWIRE_API Message user(std::vector<ContentPart> parts);
INFERWIRE_API Message assistant(std::string text);
/// The answer of a tool to the call `tool_call_id`.
INFERWIRE_API Message tool(std::string tool_call_id, std::string text);

/// A function that the model may call.
struct FunctionDefinition {
  std::string name{};
  Optional<std::string> description{};
  Optional<Json> parameters{};  ///< a JSON schema; absent: no parameters. Databricks: at most 15 properties
  Optional<bool> strict{};      ///< arguments follow the schema exactly; a subset of JSON schema only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionDefinition&, const FunctionDefinition&);
};

struct Tool {
  std::string type{"function"};
  Optional<FunctionDefinition> function{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Tool&, const Tool&);
};

struct NamedFunction {
  std::string name{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedFunction&, const NamedFunction&);
};

/// Forces a call of one function.
struct NamedToolChoice {
  std::string type{"function"};
  Optional<NamedFunction> function{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const NamedToolChoice&, const NamedToolChoice&);
};
using ToolChoice = std::variant<ToolChoiceMode, NamedToolChoice>;

struct JsonSchema {
  std::string name{};
  Optional<std::string> description{};
  Optional<Json> schema{};
  Optional<bool> strict{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const JsonSchema&, const JsonSchema&);
};

/// The form of the answer. AI21 knows text and json_object only.
struct ResponseFormat {
  std::string type{"text"};  ///< "text", "json_object" or "json_schema"
  Optional<JsonSchema> json_schema{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ResponseFormat&, const ResponseFormat&);
};

/// Extended thinking of Claude models on Databricks.
struct Thinking {
  std::string type{"enabled"};
  Optional<std::int64_t> budget_tokens{};  ///< at least 1024, less than `max_tokens`
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Thinking&, const Thinking&);
};

struct KeyValue {
  std::string key{};
  std::string value{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const KeyValue&, const KeyValue&);
};

/// AI21: context for the answer. `metadata` as the documents have it (a list), or as AI21's own SDK sends it
/// (a map).
struct Document {
  Optional<std::string> id{};
  std::string content{};
  Optional<std::variant<std::vector<KeyValue>, Dictionary<std::string>>> metadata{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Document&, const Document&);
};

using Stop = std::variant<std::string, std::vector<std::string>>;

/// A chat completion request.
struct Request {
  /// The model; on Databricks the serving endpoint's name.
  std::string model{};
  /// Required. From the oldest to the newest.
  std::vector<Message> messages{};
  Optional<std::int64_t> max_tokens{};             ///< > 0; AI21: 0 to 4096, default 4096
  Optional<std::int64_t> max_completion_tokens{};  ///< OpenAI's newer name; Databricks refuses it
  Optional<double> temperature{};                  ///< 0 to 2; default 1, AI21 0.4
  Optional<double> top_p{};                        ///< above 0, up to 1; default 1
  Optional<std::int64_t> top_k{};                  ///< > 0; Databricks, vLLM
  Optional<Stop> stop{};                           ///< one text or several that end the answer
  Optional<std::int64_t> n{};  ///< how many answers; Databricks: provisioned throughput only; AI21: 1 to 16
  /// What the call is made as decides: `create` sends false and `stream` true, whatever is set here.
  Optional<bool> stream{};
  Optional<StreamOptions> stream_options{};
  Optional<std::int64_t> seed{};
  Optional<double> frequency_penalty{};  ///< -2 to 2
  Optional<double> presence_penalty{};   ///< -2 to 2
  Dictionary<double> logit_bias{};       ///< token id to bias, -100 to 100
  Optional<bool> logprobs{};
  Optional<std::int64_t> top_logprobs{};  ///< 0 to 20; needs `logprobs`
  Optional<ResponseFormat> response_format{};
  std::vector<Tool> tools{};           ///< Databricks: at most 32
  Optional<ToolChoice> tool_choice{};  ///< only with tools
  Optional<bool> parallel_tool_calls{};
  Optional<ReasoningEffort> reasoning_effort{};  ///< reasoning models only
  Optional<Thinking> thinking{};
  std::vector<Document> documents{};  ///< AI21
  Optional<std::string> user{};
  Dictionary<std::string> metadata{};         ///< OpenAI: at most 16 pairs
  Optional<bool> ignore_eos{};                ///< LMI, vLLM
  Optional<std::string> client_request_id{};  ///< Databricks: kept in the inference table
  Dictionary<std::string> usage_context{};    ///< Databricks: kept in the usage table
  Optional<Json> extra_params{};              ///< Databricks
  /// Parameters that this struct does not name.
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Request&, const Request&);
};

struct Logprobs {
  std::vector<TokenLogprob> content{};
  std::vector<TokenLogprob> refusal{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Logprobs&, const Logprobs&);
};

struct Choice {
  std::int64_t index{};  ///< need not be the position in the list
  Message message{};
  Optional<FinishReason> finish_reason{};
  Optional<Logprobs> logprobs{};
  Optional<Json> stop_reason{};   ///< vLLM: the stop string or token id
  Optional<Json> extra_fields{};  ///< Databricks with external models: safetyRating
  Extra extra{};

  /// Why this choice ended, in one word for all providers.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Choice&, const Choice&);
};

/// A chat completion.
struct Response {
  std::string id{};
  std::string object{};              ///< "chat.completion"; AI21 sends none
  Optional<std::int64_t> created{};  ///< Unix time in seconds; AI21 sends none
  std::string model{};               ///< the version that answered, not the endpoint's name
  std::vector<Choice> choices{};
  Optional<Usage> usage{};
  Optional<std::string> service_tier{};
  Optional<std::string> system_fingerprint{};
  Extra extra{};

  /// The text of choice 0, wherever it stands in the list; "" when there is none.
  INFERWIRE_API std::string text() const;
  /// The end of the same choice.
  INFERWIRE_API Finish finish() const noexcept;

  INFERWIRE_API friend bool operator==(const Response&, const Response&);
};

struct FunctionCallDelta {
  Optional<std::string> name{};
  Optional<std::string> arguments{};  ///< a fragment of JSON text
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallDelta&, const FunctionCallDelta&);
};

struct ToolCallDelta {
  Optional<std::int64_t> index{};  ///< which call of the message; some servers leave it out
  Optional<std::string> id{};
  Optional<std::string> type{};
  Optional<FunctionCallDelta> function{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ToolCallDelta&, const ToolCallDelta&);
};

/// What a chunk adds to a message.
struct Delta {
  Optional<Role> role{};  ///< guaranteed in the first chunk only
  Optional<Content> content{};
  std::vector<ToolCallDelta> tool_calls{};
  Optional<std::string> refusal{};
  Optional<std::string> reasoning_content{};
  Optional<std::string> reasoning{};
  Optional<FunctionCallDelta> function_call{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Delta&, const Delta&);
};

struct ChunkChoice {
  std::int64_t index{};
  Delta delta{};
  Optional<FinishReason> finish_reason{};
  Optional<Logprobs> logprobs{};
  Optional<Json> stop_reason{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ChunkChoice&, const ChunkChoice&);
};

/// One element of a chat stream.
struct Chunk {
  std::string id{};
  std::string object{};  ///< "chat.completion.chunk"
  Optional<std::int64_t> created{};
  std::string model{};
  std::vector<ChunkChoice> choices{};  ///< may be empty, for example beside the usage
  Optional<Usage> usage{};             ///< a running total on some servers: the last one counts
  Optional<std::string> service_tier{};
  Optional<std::string> system_fingerprint{};
  Optional<std::string> obfuscation{};  ///< padding, OpenAI
  Extra extra{};

  /// What this chunk adds to the text of choice 0; "" when nothing.
  INFERWIRE_API std::string text() const;

  INFERWIRE_API friend bool operator==(const Chunk&, const Chunk&);
};

/// The document as it travels, for logs and files. Errors: invalid_request, with the path, as when it is
/// sent.
INFERWIRE_API Result<Json> to_json(const Request& request);
INFERWIRE_API Result<Json> to_json(const Response& response);
INFERWIRE_API Result<Json> to_json(const Chunk& chunk);

/// Folds chunks into the Response that the call without streaming would have given. `Stream::collect()` uses
/// it; it works on chunks from anywhere. It never fails: what it cannot place is left out, and bounds (128
/// choices, 128 tool calls a choice) keep hostile indices from growing it. Not thread-safe.
class INFERWIRE_API Accumulator {
 public:
  Accumulator();
  Accumulator(Accumulator&&) noexcept;
  Accumulator& operator=(Accumulator&&) noexcept;
  ~Accumulator();

  void add(const Chunk& chunk);

  /// How many choices have a finish reason, and how many have begun.
  std::size_t finished_choices() const noexcept;
  std::size_t started_choices() const noexcept;

  /// What has arrived so far.
  Response partial() const;
  /// The answer, moved out. `complete` false marks a stream that broke: tool calls without a finish reason
  /// are then flagged by `"incomplete": true` in their `extra`, for their arguments may be cut. A tool call
  /// that came without an id gets one, flagged by `"id_generated": true`.
  Response take(bool complete);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chat
}  // namespace inferwire::inline v0_1
