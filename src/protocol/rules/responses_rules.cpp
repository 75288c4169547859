#include "protocol/rules/rule_words.hpp"

#include <array>

// Databricks Foundation Model APIs reference ("Responses API request") and the OpenAI API reference ("Create
// a model response"). Databricks refuses unlisted members by name, and those that it lists as unsupported.
namespace inferwire::inline v0_1::protocol {
namespace {

using enum ValueForm;
using enum Speaker;

constexpr std::array<std::string_view, 2> databricks_item_roles{"user", "assistant"};
constexpr std::array<std::string_view, 4> openai_item_roles{"user", "assistant", "system", "developer"};
constexpr std::array<std::string_view, 3> summaries{"auto", "concise", "detailed"};
constexpr std::array<std::string_view, 2> truncations{"auto", "disabled"};

/// Ids of items, which services may exceed in answers, but not clients.
constexpr Length id_length{.most = 64};

constexpr Rule type_of_its_own{.name = "type", .form = string, .required = true};

constexpr Rule input_text[]{type_of_its_own, {.name = "text", .form = string, .required = true}};
constexpr Rule output_text[]{type_of_its_own,
                             {.name = "text", .form = string, .required = true},
                             {.name = "annotations", .form = objects},
                             {.name = "logprobs", .form = objects, .speakers = openai}};
constexpr Rule refusal[]{type_of_its_own, {.name = "refusal", .form = string, .required = true}};
constexpr Rule input_image[]{type_of_its_own,
                             {.name = "image_url", .form = string, .speakers = databricks, .required = true},
                             {.name = "image_url", .form = string, .speakers = openai},
                             {.name = "file_id", .form = string, .speakers = openai},
                             {.name = "detail", .form = string, .speakers = openai}};
constexpr Rule input_file[]{type_of_its_own,
                            {.name = "file_id", .form = string},
                            {.name = "filename", .form = string},
                            {.name = "file_data", .form = string},
                            {.name = "file_url", .form = string, .speakers = openai},
                            {.name = "detail", .form = string, .speakers = openai}};
constexpr Variant parts[]{{"input_text", input_text},
                          {"output_text", output_text},
                          {"refusal", refusal},
                          {"input_image", input_image},
                          {"input_file", input_file}};

constexpr Rule message_item[]{
    {.name = "type", .form = string},
    {.name = "id", .form = string, .text_length = id_length},
    {.name = "role",
     .form = string,
     .speakers = databricks,
     .required = true,
     .words = databricks_item_roles},
    {.name = "role", .form = string, .speakers = openai, .required = true, .words = openai_item_roles},
    {.name = "content", .form = string_or_parts, .required = true, .variants = parts},
    {.name = "status", .form = string, .speakers = openai},
    {.name = "phase", .form = string, .speakers = openai},
};

constexpr Rule function_call[]{
    type_of_its_own,
    {.name = "id", .form = string, .text_length = id_length},
    {.name = "call_id", .form = string, .required = true, .text_length = up_to_64},
    {.name = "name", .form = string, .required = true, .text_length = not_empty},
    {.name = "arguments", .form = string_or_object, .speakers = databricks, .required = true},
    {.name = "arguments", .form = string, .speakers = openai, .required = true},
    {.name = "status", .form = string, .speakers = openai},
};

constexpr Rule function_call_output[]{
    type_of_its_own,
    {.name = "id", .form = string, .speakers = openai, .text_length = id_length},
    {.name = "call_id", .form = string, .required = true, .text_length = up_to_64},
    {.name = "output", .form = string_or_object, .speakers = databricks, .required = true},
    {.name = "output", .form = string_or_parts, .speakers = openai, .required = true, .variants = parts},
    {.name = "status", .form = string, .speakers = openai},
};

constexpr Rule thought[]{{.name = "type", .form = string, .required = true},
                         {.name = "text", .form = string, .required = true}};

constexpr Rule reasoning_item[]{
    type_of_its_own,
    {.name = "id", .form = string, .text_length = id_length},
    {.name = "summary", .form = objects, .required = true, .members = thought},
    {.name = "content", .form = objects, .members = thought},
    {.name = "encrypted_content", .form = string},
    {.name = "status", .form = string, .speakers = openai},
};

constexpr Rule item_reference[]{type_of_its_own,
                                {.name = "id", .form = string, .required = true, .text_length = up_to_64}};

constexpr Variant items[]{{"message", message_item},
                          {"function_call", function_call},
                          {"function_call_output", function_call_output},
                          {"reasoning", reasoning_item}};
constexpr Variant openai_items[]{{"message", message_item},
                                 {"function_call", function_call},
                                 {"function_call_output", function_call_output},
                                 {"reasoning", reasoning_item},
                                 {"item_reference", item_reference}};

// Flat, or nested in `function`: the engine checks which of the two it is, and that it has a name. OpenAI
// specifies longer names here than in chats (openai-openapi, FunctionToolParam).
constexpr Rule offered_tool[]{
    type_of_its_own,
    {.name = "name", .form = string, .speakers = databricks, .text_length = not_empty},
    {.name = "name",
     .form = string,
     .speakers = openai,
     .plain = true,
     .text_length = {.least = 1, .most = 128}},
    {.name = "description", .form = string},
    {.name = "parameters", .form = object, .speakers = databricks, .open = true, .members = few_properties},
    {.name = "parameters", .form = object, .speakers = openai},
    {.name = "strict", .form = boolean},
    {.name = "function", .form = object, .members = defined_function},
};
constexpr Variant offered_tools[]{{"function", offered_tool}};

constexpr Rule named_schema[]{
    {.name = "name", .form = string, .speakers = databricks, .required = true, .text_length = not_empty},
    {.name = "name",
     .form = string,
     .speakers = openai,
     .required = true,
     .plain = true,
     .text_length = up_to_64},
    {.name = "description", .form = string},
    {.name = "schema", .form = object, .required = true},
    {.name = "strict", .form = boolean},
};

constexpr Rule format[]{
    {.name = "type", .form = string, .required = true, .words = formats},
    {.name = "name", .form = string, .speakers = databricks, .text_length = not_empty},
    {.name = "name", .form = string, .speakers = openai, .plain = true, .text_length = up_to_64},
    {.name = "description", .form = string},
    {.name = "schema", .form = object},
    {.name = "strict", .form = boolean},
    {.name = "json_schema", .form = object, .members = named_schema},
};

constexpr Rule text[]{
    {.name = "format", .form = object, .members = format},
    {.name = "verbosity", .form = string, .speakers = openai, .words = verbosities},
};

constexpr Rule reasoning[]{
    {.name = "effort", .form = string, .words = efforts},
    {.name = "mode", .form = string, .speakers = openai},
    {.name = "summary", .form = string, .words = summaries},
    {.name = "context", .form = string, .speakers = openai},
    {.name = "encrypted_content", .form = string, .speakers = databricks},
};

constexpr Rule event_options[]{
    {.name = "include_usage", .form = boolean},
    {.name = "include_obfuscation", .form = boolean, .speakers = openai},
};

constexpr Rule prompt[]{
    {.name = "id", .form = string, .required = true},
    {.name = "version", .form = string},
    {.name = "variables", .form = object},
};

/// Members that can replace the input.
constexpr std::array<std::string_view, 3> has_input{"prompt", "conversation", "previous_response_id"};

constexpr Rule responses[]{
    {.name = "model", .form = string, .required = true},
    {.name = "input",
     .form = string_or_parts,
     .speakers = databricks,
     .required = true,
     .length = not_empty,
     .variants = items},
    {.name = "input",
     .form = string_or_parts,
     .speakers = openai,
     .required = true,
     .unless = has_input,
     .length = not_empty,
     .variants = openai_items},
    {.name = "instructions", .form = string},
    {.name = "max_output_tokens", .form = integer, .speakers = databricks, .range = positive},
    {.name = "max_output_tokens", .form = integer, .speakers = openai, .range = {.from = 16}},
    {.name = "temperature", .form = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p", .form = number, .speakers = databricks, .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_p", .form = number, .speakers = openai, .range = {.from = 0, .to = 1}},
    {.name = "stream", .form = boolean},
    {.name = "stream_options", .form = object, .conflicts = only_streamed, .members = event_options},
    {.name = "text", .form = object, .members = text},
    {.name = "reasoning", .form = object, .members = reasoning},
    {.name = "tools",
     .form = objects,
     .speakers = databricks,
     .length = {.most = 32},
     .variants = offered_tools},
    {.name = "tools",
     .form = objects,
     .speakers = openai,
     .length = {.most = 128},
     .variants = offered_tools},
    {.name = "tool_choice", .form = string_or_object, .speakers = databricks, .conflicts = only_with_tools},
    {.name = "tool_choice", .form = string_or_object, .speakers = openai},  // a `prompt` may have tools
    {.name = "parallel_tool_calls", .form = boolean},
    {.name = "max_tool_calls", .form = integer, .range = positive},
    {.name = "metadata", .form = object},
    {.name = "include", .form = strings},
    {.name = "truncation", .form = string, .words = truncations},
    {.name = "top_logprobs", .form = integer, .range = {.from = 0, .to = 20}},
    {.name = "prompt_cache_key", .form = string},
    {.name = "prompt_cache_options", .form = object, .speakers = openai},
    {.name = "prompt_cache_retention", .form = string},
    {.name = "safety_identifier", .form = string, .speakers = databricks},
    {.name = "safety_identifier", .form = string, .speakers = openai, .text_length = {.most = 128}},
    {.name = "prompt", .form = object, .members = prompt},
    {.name = "user", .form = string},
    {.name = "background", .speakers = databricks, .refused = true},
    {.name = "background", .form = boolean, .speakers = openai},
    {.name = "store", .speakers = databricks, .refused = true},
    {.name = "store", .form = boolean, .speakers = openai},
    {.name = "conversation", .speakers = databricks, .refused = true},
    {.name = "conversation", .form = string_or_object, .speakers = openai},
    {.name = "service_tier", .speakers = databricks, .refused = true},
    {.name = "service_tier", .form = string, .speakers = openai},
    {.name = "previous_response_id", .speakers = databricks, .refused = true},
    {.name = "previous_response_id", .form = string, .speakers = openai},
};

}  // namespace

static_assert(std::size(responses) <= most_rules);

std::span<const Rule> responses_rules() noexcept { return responses; }

}  // namespace inferwire::inline v0_1::protocol
