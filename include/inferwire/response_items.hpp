/// \file
/// The items of a conversation in the Responses API: messages, tool calls and their results, reasoning. The
/// same items are sent as input and received as output.
#pragma once

#include "inferwire/dictionary.hpp"
#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/vocabulary.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

namespace responses {

using inferwire::Role;

/// Text from the caller.
struct InputText {
  static constexpr std::string_view type = "input_text";
  std::string text{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const InputText&, const InputText&);
};

/// An image from the caller: a URL, a data URI, or an uploaded file.
struct InputImage {
  static constexpr std::string_view type = "input_image";
  /// "https://..." or "data:image/png;base64,...". A string, unlike in chat; if an object is received, it is
  /// kept in `extra`.
  Optional<std::string> image_url{};
  Optional<std::string> file_id{};  ///< an uploaded file, instead of `image_url`
  Optional<std::string> detail{};   ///< OpenAI: "low", "high", "auto" or "original"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const InputImage&, const InputImage&);
};

/// A file from the caller: uploaded, inline or by URL.
struct InputFile {
  static constexpr std::string_view type = "input_file";
  Optional<std::string> file_id{};    ///< an uploaded file
  Optional<std::string> filename{};   ///< the name that the model sees
  Optional<std::string> file_data{};  ///< a data URI: "data:application/pdf;base64,..."
  Optional<std::string> file_url{};   ///< OpenAI
  Optional<std::string> detail{};     ///< OpenAI: "low" (fewer tokens), "high" or "auto"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const InputFile&, const InputFile&);
};

/// A citation in an answer. Which members are present depends on `type`: "url_citation", "file_citation",
/// "container_file_citation" or "file_path".
struct Annotation {
  std::string type{};
  Optional<std::string> url{};
  Optional<std::string> title{};
  Optional<std::int64_t> start_index{};  ///< the first cited character in the text
  Optional<std::int64_t> end_index{};    ///< just after the last cited character
  Optional<std::string> file_id{};
  Optional<std::string> filename{};
  Optional<std::string> container_id{};  ///< only in a "container_file_citation"
  Optional<std::int64_t> index{};  ///< "file_citation": the place in the text; "file_path": the file's number
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Annotation&, const Annotation&);
};

/// Text from the model.
struct OutputText {
  static constexpr std::string_view type = "output_text";
  std::string text{};
  std::vector<Annotation> annotations{};           ///< what the text cites
  Optional<std::vector<TokenLogprob>> logprobs{};  ///< if `include` asked for them
  Extra extra{};

  INFERWIRE_API friend bool operator==(const OutputText&, const OutputText&);
};

/// The model's refusal.
struct Refusal {
  static constexpr std::string_view type = "refusal";
  std::string refusal{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Refusal&, const Refusal&);
};

/// A piece of a model's reasoning, or of its summary.
struct ReasoningText {
  std::string type{"summary_text"};  ///< in a summary; "reasoning_text" in `content`
  std::string text{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningText&, const ReasoningText&);
};

/// A part of a message; parts of other types (audio) are Unknown and passed through unchanged.
using ContentPart = std::variant<OutputText, InputText, InputImage, InputFile, Refusal, Unknown>;
/// Plain text, or a list of parts.
using Content = TextOrList<ContentPart>;
/// The result of a tool: text, parts, or an object, as documented by Databricks.
using ToolOutput = TextOrList<ContentPart, Dictionary<Json>>;

}  // namespace responses

extern template class INFERWIRE_API TextOrList<responses::ContentPart>;
extern template class INFERWIRE_API TextOrList<responses::ContentPart, Dictionary<Json>>;

namespace responses {

/// A message, received, or to be sent (role and content are enough).
struct Message {
  Optional<std::string> id{};    ///< "msg_..."
  Optional<std::string> type{};  ///< "message"; optional in input
  Role role{};                   ///< user, assistant, system, developer; Databricks: user, assistant
  Optional<Content> content{};
  Optional<std::string> status{};  ///< output only: in_progress, completed or incomplete
  Optional<std::string> phase{};   ///< OpenAI: "commentary" or "final_answer"
  Extra extra{};

  /// The text of the content: the string, or its input and output texts joined; "" if there is none.
  INFERWIRE_API std::string text() const;

  INFERWIRE_API friend bool operator==(const Message&, const Message&);
};

/// A function call requested by the model. Answer it with a FunctionCallOutput.
struct FunctionCall {
  static constexpr std::string_view type = "function_call";
  Optional<std::string> id{};  ///< the id of the item: "fc_..."
  std::string call_id{};       ///< the id of the call, which its output has to name
  std::string name{};          ///< a Tool::name, unless the model made one up
  /// A JSON object as text; if an object is received, it is read as text. It comes from a model: it may be
  /// truncated, invalid or malicious.
  std::string arguments{};
  Optional<std::string> status{};  ///< output only
  Extra extra{};

  /// The arguments as an object; `{}` if the server sent none. Error{tool}, with the text in its body, if
  /// they are not a JSON object: a model may stop early or write anything.
  INFERWIRE_API Result<Json> parsed_arguments() const;
  /// Whether `status` is "incomplete": the arguments may be truncated, and the call must not be run.
  INFERWIRE_API bool is_incomplete() const noexcept;

  INFERWIRE_API friend bool operator==(const FunctionCall&, const FunctionCall&);
};

/// The result of a function call.
struct FunctionCallOutput {
  static constexpr std::string_view type = "function_call_output";
  Optional<std::string> id{};
  std::string call_id{};           ///< the call_id of the FunctionCall that this answers
  ToolOutput output;               ///< the result, for the model to read
  Optional<std::string> status{};  ///< output only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallOutput&, const FunctionCallOutput&);
};

/// The model's reasoning before it answered. Send it back in the next turn: some models need it to continue.
struct Reasoning {
  static constexpr std::string_view type = "reasoning";
  Optional<std::string> id{};            ///< "rs_..."
  std::vector<ReasoningText> summary{};  ///< a summary of the reasoning, if it was requested
  std::vector<ReasoningText> content{};  ///< open-weight models: the reasoning itself
  /// Opaque. OpenAI always sends it, others if `include` requests "reasoning.encrypted_content".
  Optional<std::string> encrypted_content{};
  Optional<std::string> status{};  ///< output only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Reasoning&, const Reasoning&);
};

/// A call of a custom tool (OpenAI), whose input is free text.
struct CustomToolCall {
  static constexpr std::string_view type = "custom_tool_call";
  Optional<std::string> id{};
  std::string call_id{};  ///< the id of the call, which its output has to name
  std::string name{};
  std::string input{};             ///< what the model wrote, unchecked
  Optional<std::string> status{};  ///< output only
  Extra extra{};

  /// Whether `status` is "incomplete": the input may be truncated, and the call must not be run.
  INFERWIRE_API bool is_incomplete() const noexcept;

  INFERWIRE_API friend bool operator==(const CustomToolCall&, const CustomToolCall&);
};

/// The result of a custom tool.
struct CustomToolCallOutput {
  static constexpr std::string_view type = "custom_tool_call_output";
  Optional<std::string> id{};
  std::string call_id{};  ///< the call_id of the CustomToolCall that this answers
  ToolOutput output;
  Optional<std::string> status{};  ///< output only
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolCallOutput&, const CustomToolCallOutput&);
};

/// A reference to an item that is stored on the server (OpenAI).
struct ItemReference {
  static constexpr std::string_view type = "item_reference";
  std::string id{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ItemReference&, const ItemReference&);
};

/// An item; those of hosted tools (web search, files, code interpreter, MCP) are Unknown and passed through
/// unchanged.
using Item = std::variant<Message, FunctionCall, FunctionCallOutput, Reasoning, CustomToolCall,
                          CustomToolCallOutput, ItemReference, Unknown>;
/// One user message as text, or a conversation from the oldest item to the newest.
using Input = TextOrList<Item>;

/// A message with instructions; Databricks documents Request::instructions instead.
INFERWIRE_API Message system(std::string text);
/// A message of the user; `parts` for text together with images or files.
INFERWIRE_API Message user(std::string text);
INFERWIRE_API Message user(std::vector<ContentPart> parts);
/// A message of the model: an example answer, or an earlier one that was stored as text only.
INFERWIRE_API Message assistant(std::string text);
/// The result of the function call `call_id`.
INFERWIRE_API FunctionCallOutput function_output(std::string call_id, std::string output);

/// Overload for string views, which are copied.
Message system(inferwire::detail::TextView auto text) { return system(std::string(text)); }
Message user(inferwire::detail::TextView auto text) { return user(std::string(text)); }
Message assistant(inferwire::detail::TextView auto text) { return assistant(std::string(text)); }
FunctionCallOutput function_output(std::string call_id, inferwire::detail::TextView auto output) {
  return function_output(std::move(call_id), std::string(output));
}

}  // namespace responses

extern template class INFERWIRE_API TextOrList<responses::Item>;

}  // namespace inferwire::inline v0_1
