/// \file
/// Messages of a chat: their content, the tool calls in them, and functions that create them.
#pragma once

#include "inferwire/export.hpp"
#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/result.hpp"
#include "inferwire/text_or_list.hpp"
#include "inferwire/vocabulary.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1 {

namespace chat {

using inferwire::Role;

/// Marks a prefix of the prompt for caching. Databricks-hosted Claude models only.
struct CacheControl {
  std::string type{"ephemeral"};  ///< the only value
  Optional<std::string> ttl{};    ///< how long it stays cached: "5m" (the default) or "1h"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CacheControl&, const CacheControl&);
};
/// Documented as a string, but servers use an object. Both are read; what is set is sent.
using CacheControlValue = std::variant<CacheControl, std::string>;

/// The location of an image: a URL, or a data URI ("data:image/png;base64,...").
struct ImageUrl {
  std::string url{};
  Optional<std::string> detail{};  ///< OpenAI: "low", "high", "auto" or "original"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ImageUrl&, const ImageUrl&);
};

/// Text in a message.
struct TextPart {
  static constexpr std::string_view type = "text";
  std::string text{};
  Optional<Json> citations{};                   ///< in answers of external models
  Optional<CacheControlValue> cache_control{};  ///< the prompt is cached up to here
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextPart&, const TextPart&);
};

/// An image in a message. Databricks: models with vision only.
struct ImagePart {
  static constexpr std::string_view type = "image_url";
  ImageUrl image_url;
  Optional<CacheControlValue> cache_control{};  ///< the prompt is cached up to here
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ImagePart&, const ImagePart&);
};

/// Audio data, for models with audio input (OpenAI).
struct InputAudio {
  std::string data{};    ///< base64
  std::string format{};  ///< "wav" or "mp3"
  Extra extra{};

  INFERWIRE_API friend bool operator==(const InputAudio&, const InputAudio&);
};

/// Audio in a message.
struct AudioPart {
  static constexpr std::string_view type = "input_audio";
  InputAudio input_audio;  ///< the data and its format
  Extra extra{};

  INFERWIRE_API friend bool operator==(const AudioPart&, const AudioPart&);
};

/// A file, such as a PDF: one that was uploaded to the service, or its name and data.
struct File {
  Optional<std::string> file_id{};    ///< the id of an uploaded file
  Optional<std::string> filename{};   ///< goes with `file_data`
  Optional<std::string> file_data{};  ///< a data URI: `data_uri("application/pdf", bytes)`
  Extra extra{};

  INFERWIRE_API friend bool operator==(const File&, const File&);
};

/// A file in a message (OpenAI).
struct FilePart {
  static constexpr std::string_view type = "file";
  File file;  ///< the file
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FilePart&, const FilePart&);
};

/// A piece of a model's reasoning. `signature` and `data` must be sent back unchanged in the next turn.
struct ReasoningSummary {
  std::string type{"summary_text"};   ///< "summary_text" or "summary_encrypted_text"
  Optional<std::string> text{};       ///< the model's reasoning, or a summary of it
  Optional<std::string> signature{};  ///< proves that the text is the model's
  Optional<std::string> data{};       ///< reasoning that only the provider can read
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

/// The model's refusal.
struct RefusalPart {
  static constexpr std::string_view type = "refusal";
  std::string refusal{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const RefusalPart&, const RefusalPart&);
};

/// A part of a message; parts of other types are Unknown and passed through unchanged.
using ContentPart =
    std::variant<TextPart, ImagePart, ReasoningPart, RefusalPart, AudioPart, FilePart, Unknown>;
/// Plain text, or a list of parts.
using Content = TextOrList<ContentPart>;

}  // namespace chat

extern template class INFERWIRE_API TextOrList<chat::ContentPart>;

namespace chat {

/// The function to call, and its arguments.
struct FunctionCall {
  std::string name{};  ///< a FunctionDefinition::name, unless the model made one up
  /// A JSON object as text. It comes from a model: it may be truncated, invalid or malicious. "" means {}.
  std::string arguments{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCall&, const FunctionCall&);
};

/// A call of a custom tool (OpenAI), whose input is free text.
struct CustomCall {
  std::string name{};   ///< the name of the tool
  std::string input{};  ///< what the model wrote, unchecked
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomCall&, const CustomCall&);
};

/// A tool call requested by the model. `function` is set for type "function", `custom` for "custom".
struct ToolCall {
  std::string id{};              ///< to be sent as Message::tool_call_id of the tool's result
  std::string type{"function"};  ///< "function" or "custom"
  Optional<FunctionCall> function{};
  Optional<CustomCall> custom{};
  Optional<CacheControlValue> cache_control{};
  Extra extra{};

  /// The function's arguments as an object; `{}` if the server sent none. Error{tool}, with the text in its
  /// body, if they are not a JSON object: a model may stop early or write anything.
  INFERWIRE_API Result<Json> parsed_arguments() const;
  /// Whether the arguments may be truncated, since the answer with the call was cut: by the token limit, a
  /// filter or an error of the server, or because its stream broke off. Such a call must not be run. A mark
  /// in `extra`, set when an answer is read; it is not written to JSON.
  INFERWIRE_API bool is_incomplete() const noexcept;
  /// Whether the server sent no id and `id` was generated by this library. A mark in `extra`, which is not
  /// written to JSON.
  INFERWIRE_API bool has_generated_id() const noexcept;

  INFERWIRE_API friend bool operator==(const ToolCall&, const ToolCall&);
};

/// A web page that an answer cites.
struct UrlCitation {
  std::string url{};
  std::string title{};                   ///< the title of the page
  Optional<std::int64_t> start_index{};  ///< the first cited character in the text
  Optional<std::int64_t> end_index{};    ///< just after the last cited character
  Extra extra{};

  INFERWIRE_API friend bool operator==(const UrlCitation&, const UrlCitation&);
};

/// A citation in a text.
struct Annotation {
  std::string type{};  ///< "url_citation"
  Optional<UrlCitation> url_citation{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const Annotation&, const Annotation&);
};

/// Says when `as_request` keeps reasoning that is text: `reasoning_content` and `reasoning`.
enum class KeepReasoning : std::uint8_t {
  beside_calls,  ///< in a message with tool calls
  always,        ///< in every message
};

/// One message of a conversation, sent or received.
struct Message {
  Role role{};
  Optional<Content> content{};  ///< may be absent, for example beside tool calls
  /// Distinguishes participants with the same role. OpenAI, vLLM, Databricks' newer models; not AI21.
  Optional<std::string> name{};
  Optional<std::string> refusal{};              ///< assistant only: the model's refusal
  std::vector<ToolCall> tool_calls{};           ///< assistant only
  Optional<std::string> tool_call_id{};         ///< role tool only: the call that this message answers
  std::vector<Annotation> annotations{};        ///< assistant only: what the text cites
  Optional<std::string> reasoning_content{};    ///< vLLM, LMI: the model's reasoning
  Optional<std::string> reasoning{};            ///< the newer name of `reasoning_content`
  Optional<FunctionCall> function_call{};       ///< deprecated by OpenAI
  Optional<Json> audio{};                       ///< OpenAI: audio, as documented there
  Optional<CacheControlValue> cache_control{};  ///< the prompt is cached up to here
  Extra extra{};

  /// The content's text: the string, or its text parts joined; "" if there is none.
  INFERWIRE_API std::string text() const;
  /// The model's reasoning, wherever the provider puts it; "" if there is none.
  INFERWIRE_API std::string reasoning_text() const;
  /// This answer as a message of the next request to the same provider.
  ///
  /// Left out is what only answers have: annotations, reasoning as text, and unknown members, which some
  /// providers refuse. Audio that came without text is sent back as its id. Kept is what must be sent back
  /// unchanged: reasoning blocks with their signatures, also OpenRouter's `reasoning_details`, LiteLLM's
  /// `thinking_blocks` and GitHub Copilot's `reasoning_opaque`; and tool calls with all their members,
  /// together with `reasoning_content` and `reasoning`, without which DeepSeek and Kimi refuse them and
  /// models elsewhere (vLLM, Groq) answer worse. Arguments that are not a JSON object, which servers refuse,
  /// become "{}"; missing content that nothing replaces becomes "".
  ///
  /// KeepReasoning::always also keeps both members without tool calls: for DeepSeek, which refuses the later
  /// requests of a conversation that called tools if an answer to their results lacks its reasoning, and for
  /// models that are asked to remember it, such as Kimi with `thinking.keep`. Others may refuse the members,
  /// or count them as part of the prompt.
  INFERWIRE_API Message as_request(KeepReasoning reasoning = KeepReasoning::beside_calls) const;

  INFERWIRE_API friend bool operator==(const Message&, const Message&);
};

/// A message with instructions, the first of a conversation.
INFERWIRE_API Message system(std::string text);
/// A message of the user; `parts` for text together with images, audio or files.
INFERWIRE_API Message user(std::string text);
INFERWIRE_API Message user(std::vector<ContentPart> parts);
/// A message of the model: an example answer, or an earlier one that was stored as text only.
INFERWIRE_API Message assistant(std::string text);
/// The result of the tool call `tool_call_id`.
INFERWIRE_API Message tool(std::string tool_call_id, std::string text);

/// Overload for string views, which are copied.
Message system(inferwire::detail::TextView auto text) { return system(std::string(text)); }
Message user(inferwire::detail::TextView auto text) { return user(std::string(text)); }
Message assistant(inferwire::detail::TextView auto text) { return assistant(std::string(text)); }
Message tool(std::string tool_call_id, inferwire::detail::TextView auto text) {
  return tool(std::move(tool_call_id), std::string(text));
}

}  // namespace chat

extern template struct INFERWIRE_API detail::Lifetime<chat::CacheControlValue>;
extern template struct INFERWIRE_API detail::Lifetime<chat::FunctionCall>;
extern template struct INFERWIRE_API detail::Lifetime<chat::CustomCall>;
extern template struct INFERWIRE_API detail::Lifetime<chat::UrlCitation>;

}  // namespace inferwire::inline v0_1
