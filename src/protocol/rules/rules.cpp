#include "protocol/rules/rules.hpp"

#include "protocol/rules/rule_words.hpp"

#include <array>

namespace inferwire::inline v0_1::protocol {
namespace {

using enum ValueForm;
using enum Speaker;

constexpr Range penalty{.from = -2, .to = 2};
constexpr Length four{.most = 4};

constexpr std::array<std::string_view, 3> preview_roles{"system", "user", "assistant"};
constexpr std::array<std::string_view, 4> databricks_roles{"system", "user", "assistant", "tool"};
constexpr std::array<std::string_view, 5> lmi_roles{"system", "developer", "user", "assistant", "tool"};
constexpr std::array<std::string_view, 6> openai_roles{"system",    "developer", "user",
                                                       "assistant", "tool",      "function"};
constexpr std::array<std::string_view, 2> ai21_formats{"text", "json_object"};

constexpr Rule called_function[]{
    {.name = "name", .form = string, .required = true, .text_length = not_empty},
    {.name = "arguments", .form = string, .required = true},
};

constexpr Rule tool_call[]{
    {.name = "id", .form = string, .required = true, .text_length = not_empty},
    {.name = "type", .form = string, .required = true},
    {.name = "function", .form = object, .required = true, .members = called_function},
    {.name = "cache_control", .form = any, .speakers = databricks},
};
constexpr Variant tool_calls[]{{"function", tool_call}};

constexpr Rule message[]{
    {.name = "role",
     .form = string,
     .speakers = databricks_preview,
     .required = true,
     .words = preview_roles},
    {.name = "role",
     .form = string,
     .speakers = databricks | ai21,
     .required = true,
     .words = databricks_roles},
    {.name = "role", .form = string, .speakers = openai, .required = true, .words = openai_roles},
    {.name = "role", .form = string, .speakers = lmi, .required = true, .words = lmi_roles},
    {.name = "content", .form = string, .speakers = databricks_preview, .required = true},
    {.name = "content", .form = string, .speakers = ai21},  // null next to tool calls
    {.name = "content", .form = string_or_parts, .speakers = current | lmi},
    {.name = "name", .form = string, .speakers = current | lmi},
    {.name = "tool_calls", .form = objects, .speakers = databricks | ai21 | lmi, .variants = tool_calls},
    {.name = "tool_calls", .form = objects, .speakers = openai, .length = not_empty, .variants = tool_calls},
    {.name = "tool_call_id", .form = string, .speakers = current | ai21 | lmi},
    {.name = "cache_control", .form = any, .speakers = databricks},
    {.name = "refusal", .form = string, .speakers = openai},
    {.name = "function_call", .form = object, .speakers = openai, .members = called_function},
};

constexpr Rule tool[]{
    {.name = "type", .form = string, .required = true},
    {.name = "function", .form = object, .required = true, .members = defined_function},
};
constexpr Variant chat_tools[]{{"function", tool}};

constexpr Rule json_schema[]{
    {.name = "name", .form = string, .speakers = all_but_openai, .required = true, .text_length = not_empty},
    {.name = "name",
     .form = string,
     .speakers = openai,
     .required = true,
     .plain = true,
     .text_length = up_to_64},
    {.name = "description", .form = string},
    {.name = "schema", .form = object, .speakers = databricks, .required = true},
    {.name = "schema", .form = object, .speakers = openai},
    {.name = "strict", .form = boolean},
};

constexpr Rule response_format[]{
    {.name = "type", .form = string, .required = true, .words = formats},
    {.name = "json_schema", .form = object, .members = json_schema},
};

constexpr Rule ai21_response_format[]{
    {.name = "type", .form = string, .required = true, .words = ai21_formats},
};

// `metadata` is a list of keys and values, or a map (in AI21's own client).
constexpr Rule document[]{
    {.name = "id", .form = string},
    {.name = "content", .form = string, .required = true},
    {.name = "metadata", .form = any},
};

constexpr Rule stream_options[]{
    {.name = "include_usage", .form = boolean},
    {.name = "include_obfuscation", .form = boolean},
    {.name = "continuous_usage_stats", .form = boolean},
};

constexpr Conflict ai21_n[]{{.own = State::several,
                             .other = "stream",
                             .others = State::is_true,
                             .problem = "it has to be 1 when 'stream' is true"},
                            {.own = State::several,
                             .other = "temperature",
                             .others = State::zero,
                             .problem = "it has to be 1 when 'temperature' is 0: all choices would be the "
                                        "same"}};
constexpr Conflict ai21_stream[]{{.own = State::is_true,
                                  .other = "tools",
                                  .others = State::filled,
                                  .problem = "it has to be false when 'tools' are specified"}};
constexpr Conflict one_limit[]{{.own = State::present,
                                .other = "max_tokens",
                                .others = State::present,
                                .problem = "it cannot be set together with 'max_tokens'"}};
constexpr Conflict only_with_logprobs[]{{.own = State::present,
                                         .other = "logprobs",
                                         .others = State::not_true,
                                         .problem = "it is only allowed when 'logprobs' is true"}};
// These are OpenAI's words.
constexpr Conflict only_parallel_tools[]{
    {.own = State::present,
     .other = "tools",
     .others = State::empty,
     .problem = "'parallel_tool_calls' is only allowed when 'tools' are specified"}};

// Databricks Foundation Model APIs reference ("Chat request", "ChatMessage"), its private preview, and the
// OpenAI API reference ("Create chat completion"); AI21's reference of Jamba 1.5; LMI 0.29's "Chat
// Completions API Schema", whose server ignores `model`. Databricks refuses unlisted members by name.
constexpr Rule chat[]{
    {.name = "model", .form = string, .speakers = all_databricks | openai | lmi},
    {.name = "model", .form = string, .speakers = ai21, .required = true, .text_length = not_empty},
    {.name = "messages", .form = objects, .required = true, .length = not_empty, .members = message},
    {.name = "max_tokens", .form = integer, .speakers = all_databricks | openai | lmi, .range = positive},
    {.name = "max_tokens", .form = integer, .speakers = ai21, .range = {.from = 0, .to = 4096}},
    {.name = "max_completion_tokens",
     .form = integer,
     .speakers = openai,
     .range = positive,
     .conflicts = one_limit},
    {.name = "stream", .form = boolean, .speakers = all_but_ai21},
    {.name = "stream", .form = boolean, .speakers = ai21, .conflicts = ai21_stream},
    {.name = "stream_options",
     .form = object,
     .speakers = openai,
     .conflicts = only_streamed,
     .members = stream_options},
    {.name = "temperature", .form = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p",
     .form = number,
     .speakers = all_databricks | lmi,
     .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_p", .form = number, .speakers = openai | ai21, .range = {.from = 0, .to = 1}},
    {.name = "top_k", .form = integer, .speakers = all_databricks | openai, .range = positive},
    {.name = "stop", .form = string_or_list, .speakers = all_databricks | lmi, .text_length = not_empty},
    {.name = "stop", .form = string_or_list, .speakers = openai, .length = four, .text_length = not_empty},
    {.name = "stop",
     .form = string_or_list,
     .speakers = ai21,
     .text_length = {.least = 1, .most = 64 * 1024}},
    {.name = "n", .form = integer, .speakers = databricks | lmi, .range = positive},
    {.name = "n", .form = integer, .speakers = ai21, .range = {.from = 1, .to = 16}, .conflicts = ai21_n},
    {.name = "n", .form = integer, .speakers = openai, .range = {.from = 1, .to = 128}},
    {.name = "logprobs", .form = boolean, .speakers = current | lmi},
    {.name = "top_logprobs",
     .form = integer,
     .speakers = current,
     .range = {.from = 0, .to = 20},
     .conflicts = only_with_logprobs},
    {.name = "top_logprobs", .form = integer, .speakers = lmi, .range = {.from = 0, .to = 20}},
    {.name = "seed", .form = integer, .speakers = openai | lmi},
    {.name = "frequency_penalty", .form = number, .speakers = openai | lmi, .range = penalty},
    {.name = "presence_penalty", .form = number, .speakers = openai | lmi, .range = penalty},
    {.name = "logit_bias", .form = object, .speakers = openai | lmi},
    {.name = "response_format", .form = object, .speakers = current, .members = response_format},
    {.name = "response_format", .form = object, .speakers = ai21, .members = ai21_response_format},
    {.name = "tools",
     .form = objects,
     .speakers = databricks,
     .length = {.most = 32},
     .variants = chat_tools},
    {.name = "tools", .form = objects, .speakers = openai, .length = {.most = 128}, .variants = chat_tools},
    {.name = "tools", .form = objects, .speakers = ai21 | lmi, .variants = chat_tools},
    {.name = "tool_choice",
     .form = string_or_object,
     .speakers = current | lmi,
     .conflicts = only_with_tools},
    {.name = "parallel_tool_calls", .form = boolean, .speakers = openai, .conflicts = only_parallel_tools},
    {.name = "reasoning_effort", .form = string, .speakers = current, .words = efforts},
    {.name = "documents", .form = objects, .speakers = ai21, .members = document},
    {.name = "thinking", .form = object, .speakers = databricks},
    {.name = "ignore_eos", .form = boolean, .speakers = openai | lmi},  // vLLM and LMI
    {.name = "user", .form = string, .speakers = openai | lmi},
    {.name = "safety_identifier", .form = string, .speakers = openai, .text_length = {.most = 128}},
    {.name = "prompt_cache_key", .form = string, .speakers = openai},
    {.name = "prompt_cache_options", .form = object, .speakers = openai},
    {.name = "prompt_cache_retention", .form = string, .speakers = openai},
    {.name = "service_tier", .form = string, .speakers = openai},
    {.name = "verbosity", .form = string, .speakers = openai, .words = verbosities},
    {.name = "prediction", .form = object, .speakers = openai},
    {.name = "modalities", .form = strings, .speakers = openai},
    {.name = "audio", .form = object, .speakers = openai},
    {.name = "web_search_options", .form = object, .speakers = openai},
    {.name = "store", .form = boolean, .speakers = openai},
    {.name = "metadata", .form = object, .speakers = openai},
    {.name = "client_request_id", .form = string, .speakers = databricks},
    {.name = "usage_context", .form = object, .speakers = databricks},
    {.name = "extra_params", .form = object, .speakers = databricks},
};

constexpr std::array<std::string_view, 2> error_behaviors{"error", "truncate"};
constexpr std::array<std::string_view, 2> encoding_formats{"float", "base64"};

// The references are "Completion request" and "Create completion"; LMI accepts the same as vLLM.
constexpr Rule completion[]{
    {.name = "model", .form = string},
    {.name = "prompt",
     .form = string_or_list,
     .speakers = all_databricks,
     .required = true,
     .length = not_empty},
    {.name = "prompt",
     .form = text_or_tokens,
     .speakers = openai | lmi,
     .required = true,
     .length = not_empty},
    {.name = "max_tokens", .form = integer, .speakers = all_databricks, .range = positive},
    {.name = "max_tokens", .form = integer, .speakers = openai | lmi, .range = {.from = 0}},
    {.name = "stream", .form = boolean},
    {.name = "stream_options",
     .form = object,
     .speakers = openai,
     .conflicts = only_streamed,
     .members = stream_options},
    {.name = "temperature", .form = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p",
     .form = number,
     .speakers = all_databricks | lmi,
     .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_p", .form = number, .speakers = openai, .range = {.from = 0, .to = 1}},
    {.name = "top_k", .form = integer, .range = positive},
    {.name = "error_behavior", .form = string, .speakers = all_databricks, .words = error_behaviors},
    {.name = "n", .form = integer, .speakers = databricks, .range = positive},
    {.name = "n", .form = integer, .speakers = openai | lmi, .range = {.from = 1, .to = 128}},
    {.name = "best_of", .form = integer, .speakers = openai | lmi, .range = {.from = 1, .to = 20}},
    {.name = "stop", .form = string_or_list, .speakers = all_databricks | lmi, .text_length = not_empty},
    {.name = "stop", .form = string_or_list, .speakers = openai, .length = four, .text_length = not_empty},
    {.name = "suffix", .form = string},
    {.name = "echo", .form = boolean},
    {.name = "use_raw_prompt", .form = boolean, .speakers = all_databricks},
    {.name = "logprobs", .form = integer, .speakers = openai | lmi, .range = {.from = 0, .to = 5}},
    {.name = "seed", .form = integer, .speakers = openai | lmi},
    {.name = "frequency_penalty", .form = number, .speakers = openai | lmi, .range = penalty},
    {.name = "presence_penalty", .form = number, .speakers = openai | lmi, .range = penalty},
    {.name = "logit_bias", .form = object, .speakers = openai | lmi},
    {.name = "ignore_eos", .form = boolean, .speakers = openai | lmi},  // vLLM
    {.name = "user", .form = string, .speakers = openai | lmi},
    {.name = "client_request_id", .form = string, .speakers = databricks},
    {.name = "usage_context", .form = object, .speakers = databricks},
    {.name = "extra_params", .form = object, .speakers = databricks},
};

// The references are "Embedding request" and "Create embeddings".
constexpr Rule embedding[]{
    {.name = "model", .form = string},
    {.name = "input",
     .form = string_or_list,
     .speakers = all_databricks,
     .required = true,
     .length = not_empty},
    {.name = "input",
     .form = text_or_tokens,
     .speakers = openai,
     .required = true,
     .length = {.least = 1, .most = 2048},
     .text_length = not_empty},
    {.name = "inputs", .form = string_or_list, .speakers = lmi, .required = true, .length = not_empty},
    {.name = "instruction", .form = string, .speakers = all_databricks},
    {.name = "dimensions", .form = integer, .speakers = openai, .range = positive},
    // Databricks' documentation lacks it; its service accepts it, since OpenAI's clients always send it.
    {.name = "encoding_format", .form = string, .speakers = current, .words = encoding_formats},
    {.name = "user", .form = string, .speakers = openai},
    {.name = "client_request_id", .form = string, .speakers = databricks},
    {.name = "usage_context", .form = object, .speakers = databricks},
};

struct ObservedRefusal {
  std::string_view member{};
  Speaker speakers{};
  std::string_view endpoints{};  ///< the prefix of their names; empty: all
};
// Seen at live endpoints, whatever their documents say.
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
