// The tables of the chat structs: the only place that spells their names. Flags: json/table.hpp.
#include "inferwire/chat.hpp"
#include "json/table.hpp"
#include "wire/documents.hpp"
#include "wire/logprobs_table.hpp"
#include "wire/prompt_cache_options_table.hpp"
#include "wire/stream_options_table.hpp"
#include "wire/usage_table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<chat::CacheControl> {
  using Self = chat::CacheControl;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(ttl),
  };
};

template <>
struct Fields<chat::ImageUrl> {
  using Self = chat::ImageUrl;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(url, structure | keep_empty),
      INFERWIRE_FIELD(detail),
  };
};

template <>
struct Fields<chat::TextPart> {
  using Self = chat::TextPart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(text, structure | keep_empty),
      INFERWIRE_FIELD(citations),
      INFERWIRE_FIELD(cache_control),
  };
};

template <>
struct Fields<chat::ImagePart> {
  using Self = chat::ImagePart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(image_url, structure | or_unknown),
      INFERWIRE_FIELD(cache_control),
  };
};

template <>
struct Fields<chat::InputAudio> {
  using Self = chat::InputAudio;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(data, keep_empty),
      INFERWIRE_FIELD(format),
  };
};

template <>
struct Fields<chat::AudioPart> {
  using Self = chat::AudioPart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(input_audio, structure | or_unknown),
  };
};

template <>
struct Fields<chat::File> {
  using Self = chat::File;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(file_id),
      INFERWIRE_FIELD(filename),
      INFERWIRE_FIELD(file_data),
  };
};

template <>
struct Fields<chat::FilePart> {
  using Self = chat::FilePart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(file, structure | or_unknown),
  };
};

template <>
struct Fields<chat::ReasoningSummary> {
  using Self = chat::ReasoningSummary;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(text, structure),
      INFERWIRE_FIELD(signature),
      INFERWIRE_FIELD(data),
  };
};

template <>
struct Fields<chat::ReasoningPart> {
  using Self = chat::ReasoningPart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(summary, structure | keep_empty),
  };
};

template <>
struct Fields<chat::RefusalPart> {
  using Self = chat::RefusalPart;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(refusal, structure | keep_empty),
  };
};

template <>
struct Fields<chat::FunctionCall> {
  using Self = chat::FunctionCall;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, structure | keep_empty),
      INFERWIRE_FIELD(arguments, structure | keep_empty | object_text),
  };
};

template <>
struct Fields<chat::CustomCall> {
  using Self = chat::CustomCall;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, structure | keep_empty),
      INFERWIRE_FIELD(input, structure | keep_empty),
  };
};

template <>
struct Fields<chat::ToolCall> {
  using Self = chat::ToolCall;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id, or_number),       INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(function, structure), INFERWIRE_FIELD(custom, structure),
      INFERWIRE_FIELD(cache_control),
  };
};

template <>
struct Fields<chat::UrlCitation> {
  using Self = chat::UrlCitation;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(url),
      INFERWIRE_FIELD(title),
      INFERWIRE_FIELD(start_index),
      INFERWIRE_FIELD(end_index),
  };
};

template <>
struct Fields<chat::Annotation> {
  using Self = chat::Annotation;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(url_citation),
  };
};

template <>
struct Fields<chat::Message> {
  using Self = chat::Message;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(role, keep_empty),
      INFERWIRE_FIELD(content, structure | object_text | or_number),
      INFERWIRE_FIELD(name),
      INFERWIRE_FIELD(refusal, structure),
      INFERWIRE_FIELD(tool_calls, structure),
      INFERWIRE_FIELD(tool_call_id),
      INFERWIRE_FIELD(annotations),
      INFERWIRE_FIELD(reasoning_content, or_number),
      INFERWIRE_FIELD(reasoning, or_number),
      INFERWIRE_FIELD(function_call, structure),
      INFERWIRE_FIELD(audio),
      INFERWIRE_FIELD(cache_control),
  };
};

template <>
struct Fields<chat::FunctionDefinition> {
  using Self = chat::FunctionDefinition;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, keep_empty),
      INFERWIRE_FIELD(description),
      INFERWIRE_FIELD(parameters),
      INFERWIRE_FIELD(strict),
  };
};

template <>
struct Fields<chat::Grammar> {
  using Self = chat::Grammar;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(syntax),
      INFERWIRE_FIELD(definition, keep_empty),
  };
};

template <>
struct Fields<chat::CustomToolFormat> {
  using Self = chat::CustomToolFormat;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(grammar),
  };
};

template <>
struct Fields<chat::CustomToolDefinition> {
  using Self = chat::CustomToolDefinition;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, keep_empty),
      INFERWIRE_FIELD(description),
      INFERWIRE_FIELD(format),
  };
};

template <>
struct Fields<chat::Tool> {
  using Self = chat::Tool;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(function),
      INFERWIRE_FIELD(custom),
  };
};

template <>
struct Fields<chat::NamedFunction> {
  using Self = chat::NamedFunction;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, keep_empty),
  };
};

template <>
struct Fields<chat::AllowedTools> {
  using Self = chat::AllowedTools;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(mode),
      INFERWIRE_FIELD(tools),
  };
};

template <>
struct Fields<chat::NamedToolChoice> {
  using Self = chat::NamedToolChoice;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(function),
      INFERWIRE_FIELD(custom),
      INFERWIRE_FIELD(allowed_tools),
  };
};

template <>
struct Fields<chat::JsonSchema> {
  using Self = chat::JsonSchema;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, keep_empty),
      INFERWIRE_FIELD(description),
      INFERWIRE_FIELD(schema),
      INFERWIRE_FIELD(strict),
  };
};

template <>
struct Fields<chat::ResponseFormat> {
  using Self = chat::ResponseFormat;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(json_schema),
  };
};

template <>
struct Fields<chat::Thinking> {
  using Self = chat::Thinking;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(budget_tokens),
  };
};

template <>
struct Fields<chat::KeyValue> {
  using Self = chat::KeyValue;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(key, keep_empty),
      INFERWIRE_FIELD(value, keep_empty),
  };
};

template <>
struct Fields<chat::Document> {
  using Self = chat::Document;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(content, keep_empty),
      INFERWIRE_FIELD(metadata),
  };
};

template <>
struct Fields<chat::Prediction> {
  using Self = chat::Prediction;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(content, keep_empty),
  };
};

template <>
struct Fields<chat::CustomVoice> {
  using Self = chat::CustomVoice;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id, keep_empty),
  };
};

template <>
struct Fields<chat::AudioOutput> {
  using Self = chat::AudioOutput;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(voice),
      INFERWIRE_FIELD(format),
  };
};

template <>
struct Fields<chat::Request> {
  using Self = chat::Request;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(messages, required | keep_empty),
      INFERWIRE_FIELD(max_tokens),
      INFERWIRE_FIELD(max_completion_tokens),
      INFERWIRE_FIELD(temperature),
      INFERWIRE_FIELD(top_p),
      INFERWIRE_FIELD(top_k),
      INFERWIRE_FIELD(stop),
      INFERWIRE_FIELD(n),
      INFERWIRE_FIELD(stream),
      INFERWIRE_FIELD(stream_options),
      INFERWIRE_FIELD(seed),
      INFERWIRE_FIELD(frequency_penalty),
      INFERWIRE_FIELD(presence_penalty),
      INFERWIRE_FIELD(logit_bias),
      INFERWIRE_FIELD(logprobs),
      INFERWIRE_FIELD(top_logprobs),
      INFERWIRE_FIELD(response_format),
      INFERWIRE_FIELD(tools),
      INFERWIRE_FIELD(tool_choice),
      INFERWIRE_FIELD(parallel_tool_calls),
      INFERWIRE_FIELD(reasoning_effort),
      INFERWIRE_FIELD(thinking),
      INFERWIRE_FIELD(documents),
      INFERWIRE_FIELD(user),
      INFERWIRE_FIELD(safety_identifier),
      INFERWIRE_FIELD(prompt_cache_key),
      INFERWIRE_FIELD(prompt_cache_options),
      INFERWIRE_FIELD(prompt_cache_retention),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(verbosity),
      INFERWIRE_FIELD(prediction),
      INFERWIRE_FIELD(modalities),
      INFERWIRE_FIELD(audio),
      INFERWIRE_FIELD(web_search_options),
      INFERWIRE_FIELD(store),
      INFERWIRE_FIELD(metadata),
      INFERWIRE_FIELD(ignore_eos),
      INFERWIRE_FIELD(client_request_id),
      INFERWIRE_FIELD(usage_context),
      INFERWIRE_FIELD(extra_params),
  };
};

template <>
struct Fields<chat::Logprobs> {
  using Self = chat::Logprobs;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(content, keep_empty | or_one),
      INFERWIRE_FIELD(refusal),
  };
};

template <>
struct Fields<chat::Choice> {
  using Self = chat::Choice;
  /// Azure and Gemini leave out messages that they filtered; Gemini also those in which the limit left only
  /// reasoning.
  static bool excuse(const Self& choice) noexcept {
    switch (choice.finish()) {
      case chat::Finish::content_filter:
      case chat::Finish::length:
      case chat::Finish::error:
      case chat::Finish::other: return true;
      default: return false;
    }
  }
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(index),
      INFERWIRE_FIELD(message, required),
      INFERWIRE_FIELD(finish_reason, emit_null),
      INFERWIRE_ALIAS(finish_reason, "finishReason"),
      INFERWIRE_FIELD(logprobs, or_list),
      INFERWIRE_FIELD(stop_reason),
      INFERWIRE_FIELD(extra_fields),
  };
};

template <>
struct Fields<chat::Response> {
  using Self = chat::Response;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created),
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(choices, required | keep_empty),
      INFERWIRE_FIELD(usage),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(system_fingerprint),
  };
};

template <>
struct Fields<chat::FunctionCallDelta> {
  using Self = chat::FunctionCallDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, structure),
      INFERWIRE_FIELD(arguments, structure | object_text),
  };
};

template <>
struct Fields<chat::CustomCallDelta> {
  using Self = chat::CustomCallDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(name, structure),
      INFERWIRE_FIELD(input, structure),
  };
};

template <>
struct Fields<chat::ToolCallDelta> {
  using Self = chat::ToolCallDelta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(index),
      INFERWIRE_FIELD(id, or_number),
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(function, structure),
      INFERWIRE_FIELD(custom, structure),
  };
};

template <>
struct Fields<chat::Delta> {
  using Self = chat::Delta;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(role),
      INFERWIRE_FIELD(content, structure | object_text | or_number),
      INFERWIRE_FIELD(tool_calls, structure | or_one),
      INFERWIRE_FIELD(refusal, structure),
      INFERWIRE_FIELD(reasoning_content, or_number),
      INFERWIRE_FIELD(reasoning, or_number),
      INFERWIRE_FIELD(function_call, structure),
  };
};

template <>
struct Fields<chat::ChunkChoice> {
  using Self = chat::ChunkChoice;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(index),
      INFERWIRE_FIELD(delta, structure),
      INFERWIRE_FIELD(finish_reason, emit_null),
      INFERWIRE_ALIAS(finish_reason, "finishReason"),
      INFERWIRE_FIELD(logprobs, or_list),
      INFERWIRE_FIELD(stop_reason),
  };
};

template <>
struct Fields<chat::Chunk> {
  using Self = chat::Chunk;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created),
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(choices, structure | keep_empty),
      INFERWIRE_FIELD(usage),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(system_fingerprint),
      INFERWIRE_FIELD(obfuscation),
  };
};

template const Type& describe<chat::Request>();
template const Type& describe<chat::Response>();
template const Type& describe<chat::Chunk>();
template const Type& describe<chat::Message>();
template const Type& describe<std::vector<chat::Message>>();
template const Type& describe<chat::Choice>();
template const Type& describe<chat::Delta>();
template const Type& describe<chat::ToolCall>();

}  // namespace inferwire::inline v0_1::json
