#include "protocol/rules.hpp"

#include <array>

#include "protocol/rule_words.hpp"

namespace inferwire::inline v0_1::protocol {
namespace {

using enum Shape;
using enum Speaker;
using Words = std::array<std::string_view, 4>;

constexpr Range penalty{.from = -2, .to = 2};

constexpr std::array<std::string_view, 3> preview_roles{"system", "user", "assistant"};
constexpr std::array<std::string_view, 4> databricks_roles{"system", "user", "assistant", "tool"};
constexpr std::array<std::string_view, 5> lmi_roles{"system", "developer", "user", "assistant", "tool"};
constexpr std::array<std::string_view, 6> openai_roles{"system",    "developer", "user",
                                                       "assistant", "tool",      "function"};
constexpr std::array<std::string_view, 2> ai21_formats{"text", "json_object"};

constexpr Rule called_function[]{
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "arguments", .shape = string, .required = true},
};

constexpr Rule tool_call[]{
    {.name = "id", .shape = string, .required = true, .text_length = not_empty},
    {.name = "type", .shape = string, .required = true},
    {.name = "function", .shape = object, .required = true, .members = called_function},
    {.name = "cache_control", .shape = any, .speakers = databricks},
};
constexpr Variant tool_calls[]{{"function", tool_call}};

constexpr Rule message[]{
    {.name = "role",
     .shape = string,
     .speakers = databricks_preview,
     .required = true,
     .words = preview_roles},
    {.name = "role",
     .shape = string,
     .speakers = databricks | ai21,
     .required = true,
     .words = databricks_roles},
    {.name = "role", .shape = string, .speakers = openai, .required = true, .words = openai_roles},
    {.name = "role", .shape = string, .speakers = lmi, .required = true, .words = lmi_roles},
    {.name = "content", .shape = string, .speakers = databricks_preview, .required = true},
    {.name = "content", .shape = string, .speakers = ai21},  // none beside tool calls
    {.name = "content", .shape = string_or_parts, .speakers = current | lmi},
    {.name = "name", .shape = string, .speakers = current | lmi},
    {.name = "tool_calls", .shape = objects, .speakers = current | ai21 | lmi, .variants = tool_calls},
    {.name = "tool_call_id", .shape = string, .speakers = current | ai21 | lmi},
    {.name = "cache_control", .shape = any, .speakers = databricks},
    {.name = "refusal", .shape = string, .speakers = openai},
    {.name = "function_call", .shape = object, .speakers = openai, .members = called_function},
};

constexpr Rule defined_function[]{
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "parameters", .shape = object},
    {.name = "strict", .shape = boolean},
};

constexpr Rule tool[]{
    {.name = "type", .shape = string, .required = true},
    {.name = "function", .shape = object, .required = true, .members = defined_function},
};
constexpr Variant chat_tools[]{{"function", tool}};

constexpr Rule json_schema[]{
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "schema", .shape = object, .speakers = databricks, .required = true},
    {.name = "schema", .shape = object, .speakers = openai},
    {.name = "strict", .shape = boolean},
};

constexpr Rule response_format[]{
    {.name = "type", .shape = string, .required = true, .words = formats},
    {.name = "json_schema", .shape = object, .members = json_schema},
};

constexpr Rule ai21_response_format[]{
    {.name = "type", .shape = string, .required = true, .words = ai21_formats},
};

// `metadata` is a list of keys and values, or a map (AI21's own client).
constexpr Rule document[]{
    {.name = "id", .shape = string},
    {.name = "content", .shape = string, .required = true},
    {.name = "metadata", .shape = any},
};

constexpr Rule stream_options[]{
    {.name = "include_usage", .shape = boolean},
    {.name = "include_obfuscation", .shape = boolean},
    {.name = "continuous_usage_stats", .shape = boolean},
};

// Databricks Foundation Model APIs reference ("Chat request", "ChatMessage"), its private preview, and the
// OpenAI API reference ("Create chat completion"); AI21's reference of Jamba 1.5; LMI 0.29's "Chat
// Completions API Schema", whose server ignores `model`. On Databricks what is not listed is refused by name.
constexpr Rule chat[]{
    {.name = "model", .shape = string, .speakers = all_databricks | openai | lmi},
    {.name = "model", .shape = string, .speakers = ai21, .required = true, .text_length = not_empty},
    {.name = "messages", .shape = objects, .required = true, .length = not_empty, .members = message},
    {.name = "max_tokens", .shape = integer, .speakers = all_databricks | openai | lmi, .range = positive},
    {.name = "max_tokens", .shape = integer, .speakers = ai21, .range = {.from = 0, .to = 4096}},
    {.name = "max_completion_tokens", .shape = integer, .speakers = openai, .range = positive},
    {.name = "stream", .shape = boolean},
    {.name = "stream_options", .shape = object, .speakers = openai, .members = stream_options},
    {.name = "temperature", .shape = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p",
     .shape = number,
     .speakers = all_databricks | openai | lmi,
     .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_p", .shape = number, .speakers = ai21, .range = {.from = 0, .to = 1}},
    {.name = "top_k", .shape = integer, .speakers = all_databricks | openai, .range = positive},
    {.name = "stop",
     .shape = string_or_list,
     .speakers = all_databricks | openai | lmi,
     .text_length = not_empty},
    {.name = "stop",
     .shape = string_or_list,
     .speakers = ai21,
     .text_length = {.least = 1, .most = 64 * 1024}},
    {.name = "n", .shape = integer, .speakers = databricks | lmi, .range = positive},
    {.name = "n", .shape = integer, .speakers = ai21, .range = {.from = 1, .to = 16}},
    {.name = "n", .shape = integer, .speakers = openai, .range = {.from = 1, .to = 128}},
    {.name = "logprobs", .shape = boolean, .speakers = current | lmi},
    {.name = "top_logprobs", .shape = integer, .speakers = current | lmi, .range = {.from = 0, .to = 20}},
    {.name = "seed", .shape = integer, .speakers = openai | lmi},
    {.name = "frequency_penalty", .shape = number, .speakers = openai | lmi, .range = penalty},
    {.name = "presence_penalty", .shape = number, .speakers = openai | lmi, .range = penalty},
    {.name = "logit_bias", .shape = object, .speakers = openai | lmi},
    {.name = "response_format", .shape = object, .speakers = current, .members = response_format},
    {.name = "response_format", .shape = object, .speakers = ai21, .members = ai21_response_format},
    {.name = "tools",
     .shape = objects,
     .speakers = databricks,
     .length = {.most = 32},
     .variants = chat_tools},
    {.name = "tools", .shape = objects, .speakers = openai, .length = {.most = 128}, .variants = chat_tools},
    {.name = "tools", .shape = objects, .speakers = ai21 | lmi, .variants = chat_tools},
    {.name = "tool_choice", .shape = string_or_object, .speakers = current | lmi},
    {.name = "parallel_tool_calls", .shape = boolean, .speakers = openai},
    {.name = "reasoning_effort", .shape = string, .speakers = databricks, .words = efforts},
    {.name = "reasoning_effort", .shape = string, .speakers = openai, .words = openai_efforts},
    {.name = "documents", .shape = objects, .speakers = ai21, .members = document},
    {.name = "thinking", .shape = object, .speakers = databricks},
    {.name = "ignore_eos", .shape = boolean, .speakers = openai | lmi},  // vLLM and LMI
    {.name = "user", .shape = string, .speakers = openai | lmi},
    {.name = "safety_identifier", .shape = string, .speakers = openai, .text_length = {.most = 64}},
    {.name = "prompt_cache_key", .shape = string, .speakers = openai},
    {.name = "prompt_cache_retention", .shape = string, .speakers = openai},
    {.name = "service_tier", .shape = string, .speakers = openai},
    {.name = "verbosity", .shape = string, .speakers = openai, .words = verbosities},
    {.name = "prediction", .shape = object, .speakers = openai},
    {.name = "modalities", .shape = strings, .speakers = openai},
    {.name = "audio", .shape = object, .speakers = openai},
    {.name = "web_search_options", .shape = object, .speakers = openai},
    {.name = "store", .shape = boolean, .speakers = openai},
    {.name = "metadata", .shape = object, .speakers = openai},
    {.name = "client_request_id", .shape = string, .speakers = databricks},
    {.name = "usage_context", .shape = object, .speakers = databricks},
    {.name = "extra_params", .shape = object, .speakers = databricks},
};

constexpr std::array<std::string_view, 2> error_behaviors{"error", "truncate"};
constexpr std::array<std::string_view, 2> encoding_formats{"float", "base64"};

// The same references: "Completion request" and "Create completion"; LMI takes what vLLM does.
constexpr Rule completion[]{
    {.name = "model", .shape = string},
    {.name = "prompt",
     .shape = string_or_list,
     .speakers = all_databricks,
     .required = true,
     .length = not_empty},
    {.name = "prompt",
     .shape = text_or_tokens,
     .speakers = openai | lmi,
     .required = true,
     .length = not_empty},
    {.name = "max_tokens", .shape = integer, .speakers = all_databricks, .range = positive},
    {.name = "max_tokens", .shape = integer, .speakers = openai | lmi, .range = {.from = 0}},
    {.name = "stream", .shape = boolean},
    {.name = "stream_options", .shape = object, .speakers = openai, .members = stream_options},
    {.name = "temperature", .shape = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p", .shape = number, .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_k", .shape = integer, .range = positive},
    {.name = "error_behavior", .shape = string, .speakers = all_databricks, .words = error_behaviors},
    {.name = "n", .shape = integer, .speakers = databricks, .range = positive},
    {.name = "n", .shape = integer, .speakers = openai | lmi, .range = {.from = 1, .to = 128}},
    {.name = "best_of", .shape = integer, .speakers = openai | lmi, .range = {.from = 1, .to = 20}},
    {.name = "stop", .shape = string_or_list, .text_length = not_empty},
    {.name = "suffix", .shape = string},
    {.name = "echo", .shape = boolean},
    {.name = "use_raw_prompt", .shape = boolean, .speakers = all_databricks},
    {.name = "logprobs", .shape = integer, .speakers = openai | lmi, .range = {.from = 0, .to = 5}},
    {.name = "seed", .shape = integer, .speakers = openai | lmi},
    {.name = "frequency_penalty", .shape = number, .speakers = openai | lmi, .range = penalty},
    {.name = "presence_penalty", .shape = number, .speakers = openai | lmi, .range = penalty},
    {.name = "logit_bias", .shape = object, .speakers = openai | lmi},
    {.name = "ignore_eos", .shape = boolean, .speakers = openai | lmi},  // vLLM
    {.name = "user", .shape = string, .speakers = openai | lmi},
    {.name = "client_request_id", .shape = string, .speakers = databricks},
    {.name = "usage_context", .shape = object, .speakers = databricks},
    {.name = "extra_params", .shape = object, .speakers = databricks},
};

// The same references: "Embedding request" and "Create embeddings".
constexpr Rule embedding[]{
    {.name = "model", .shape = string},
    {.name = "input",
     .shape = string_or_list,
     .speakers = all_databricks,
     .required = true,
     .length = not_empty},
    {.name = "input",
     .shape = text_or_tokens,
     .speakers = openai,
     .required = true,
     .length = {.least = 1, .most = 2048},
     .text_length = not_empty},
    {.name = "inputs", .shape = string_or_list, .speakers = lmi, .required = true, .length = not_empty},
    {.name = "instruction", .shape = string, .speakers = all_databricks},
    {.name = "dimensions", .shape = integer, .speakers = openai, .range = positive},
    // Databricks' documents do not name it; its service takes it, for OpenAI's clients always send it.
    {.name = "encoding_format", .shape = string, .speakers = current, .words = encoding_formats},
    {.name = "user", .shape = string, .speakers = openai},
    {.name = "client_request_id", .shape = string, .speakers = databricks},
    {.name = "usage_context", .shape = object, .speakers = databricks},
};

// Reports of live endpoints (wire.md, section 3, marked as observed).
constexpr ObservedRefusal refused_chat[]{
    {.member = "seed", .speakers = databricks},
    {.member = "stream_options", .speakers = databricks},
    {.member = "max_completion_tokens", .speakers = databricks},
    {.member = "stop", .speakers = databricks, .endpoints = "databricks-gpt-oss"},
    {.member = "thinking", .speakers = databricks, .endpoints = "databricks-gpt-oss"},
};

}  // namespace

static_assert(std::size(chat) <= most_rules && std::size(completion) <= most_rules &&
              std::size(embedding) <= most_rules);

std::span<const Rule> chat_rules() noexcept { return chat; }
std::span<const Rule> completion_rules() noexcept { return completion; }
std::span<const Rule> embedding_rules() noexcept { return embedding; }

std::optional<Speaker> speaker_of(RuleSet rules) noexcept {
  switch (rules) {
    case RuleSet::none: return std::nullopt;
    case RuleSet::databricks: return databricks;
    case RuleSet::openai: return openai;
    case RuleSet::ai21: return ai21;
    case RuleSet::lmi: return lmi;
  }
  return std::nullopt;
}

std::span<const ObservedRefusal> observed_chat_refusals() noexcept { return refused_chat; }

bool was_refused(Speaker speaker, std::string_view endpoint, std::string_view member) noexcept {
  for (const auto& refusal : refused_chat) {
    if (refusal.member == member && contains(refusal.speakers, speaker) &&
        endpoint.starts_with(refusal.endpoints)) {
      return true;
    }
  }
  return false;
}

const Rule* find_rule(std::span<const Rule> rules, Speaker speaker, std::string_view name) noexcept {
  for (const auto& rule : rules) {
    if (rule.name == name && contains(rule.speakers, speaker)) return &rule;
  }
  return nullptr;
}

}  // namespace inferwire::inline v0_1::protocol
