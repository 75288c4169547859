#include <array>

#include "protocol/rule_words.hpp"

// Databricks Foundation Model APIs reference ("Responses API request") and the OpenAI API reference ("Create
// a model response"). On Databricks what is not listed is refused by name, and so is what it lists as
// unsupported.
namespace inferwire::inline v0_1::protocol {
namespace {

using enum Shape;
using enum Speaker;

constexpr std::array<std::string_view, 2> databricks_item_roles{"user", "assistant"};
constexpr std::array<std::string_view, 4> openai_item_roles{"user", "assistant", "system", "developer"};
constexpr std::array<std::string_view, 3> summaries{"auto", "concise", "detailed"};
constexpr std::array<std::string_view, 2> truncations{"auto", "disabled"};

constexpr Rule type_of_its_own{.name = "type", .shape = string, .required = true};

constexpr Rule input_text[]{type_of_its_own, {.name = "text", .shape = string, .required = true}};
constexpr Rule output_text[]{type_of_its_own,
                             {.name = "text", .shape = string, .required = true},
                             {.name = "annotations", .shape = objects},
                             {.name = "logprobs", .shape = objects, .speakers = openai}};
constexpr Rule refusal[]{type_of_its_own, {.name = "refusal", .shape = string, .required = true}};
constexpr Rule input_image[]{type_of_its_own,
                             {.name = "image_url", .shape = string, .speakers = databricks, .required = true},
                             {.name = "image_url", .shape = string, .speakers = openai},
                             {.name = "file_id", .shape = string, .speakers = openai},
                             {.name = "detail", .shape = string, .speakers = openai}};
constexpr Rule input_file[]{type_of_its_own,
                            {.name = "file_id", .shape = string},
                            {.name = "filename", .shape = string},
                            {.name = "file_data", .shape = string},
                            {.name = "file_url", .shape = string, .speakers = openai}};
constexpr Variant parts[]{{"input_text", input_text},
                          {"output_text", output_text},
                          {"refusal", refusal},
                          {"input_image", input_image},
                          {"input_file", input_file}};

constexpr Rule message_item[]{
    {.name = "type", .shape = string},
    {.name = "id", .shape = string},
    {.name = "role",
     .shape = string,
     .speakers = databricks,
     .required = true,
     .words = databricks_item_roles},
    {.name = "role", .shape = string, .speakers = openai, .required = true, .words = openai_item_roles},
    {.name = "content", .shape = string_or_parts, .required = true, .variants = parts},
    {.name = "status", .shape = string, .speakers = openai},
    {.name = "phase", .shape = string, .speakers = openai},
};

constexpr Rule function_call[]{
    type_of_its_own,
    {.name = "id", .shape = string},
    {.name = "call_id", .shape = string, .required = true, .text_length = not_empty},
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "arguments", .shape = string_or_object, .speakers = databricks, .required = true},
    {.name = "arguments", .shape = string, .speakers = openai, .required = true},
    {.name = "status", .shape = string, .speakers = openai},
};

constexpr Rule function_call_output[]{
    type_of_its_own,
    {.name = "id", .shape = string, .speakers = openai},
    {.name = "call_id", .shape = string, .required = true, .text_length = not_empty},
    {.name = "output", .shape = string_or_object, .speakers = databricks, .required = true},
    {.name = "output", .shape = string_or_parts, .speakers = openai, .required = true, .variants = parts},
    {.name = "status", .shape = string, .speakers = openai},
};

constexpr Rule thought[]{{.name = "type", .shape = string, .required = true},
                         {.name = "text", .shape = string, .required = true}};

constexpr Rule reasoning_item[]{
    type_of_its_own,
    {.name = "id", .shape = string},
    {.name = "summary", .shape = objects, .required = true, .members = thought},
    {.name = "content", .shape = objects, .members = thought},
    {.name = "encrypted_content", .shape = string},
    {.name = "status", .shape = string, .speakers = openai},
};

constexpr Variant items[]{{"message", message_item},
                          {"function_call", function_call},
                          {"function_call_output", function_call_output},
                          {"reasoning", reasoning_item}};

constexpr Rule function[]{
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "parameters", .shape = object},
    {.name = "strict", .shape = boolean},
};

// Flat, or nested in `function`: which of the two it is, and that it has a name, is for the engine to see.
constexpr Rule offered_tool[]{
    type_of_its_own,
    {.name = "name", .shape = string, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "parameters", .shape = object},
    {.name = "strict", .shape = boolean},
    {.name = "function", .shape = object, .members = function},
};
constexpr Variant offered_tools[]{{"function", offered_tool}};

constexpr Rule named_schema[]{
    {.name = "name", .shape = string, .required = true, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "schema", .shape = object, .required = true},
    {.name = "strict", .shape = boolean},
};

constexpr Rule format[]{
    {.name = "type", .shape = string, .required = true, .words = formats},
    {.name = "name", .shape = string, .text_length = not_empty},
    {.name = "description", .shape = string},
    {.name = "schema", .shape = object},
    {.name = "strict", .shape = boolean},
    {.name = "json_schema", .shape = object, .members = named_schema},
};

constexpr Rule text[]{
    {.name = "format", .shape = object, .members = format},
    {.name = "verbosity", .shape = string, .speakers = openai, .words = verbosities},
};

constexpr Rule reasoning[]{
    {.name = "effort", .shape = string, .speakers = databricks, .words = efforts},
    {.name = "effort", .shape = string, .speakers = openai, .words = openai_efforts},
    {.name = "summary", .shape = string, .words = summaries},
    {.name = "encrypted_content", .shape = string, .speakers = databricks},
};

constexpr Rule event_options[]{
    {.name = "include_usage", .shape = boolean},
    {.name = "include_obfuscation", .shape = boolean, .speakers = openai},
};

constexpr Rule prompt[]{
    {.name = "id", .shape = string, .required = true},
    {.name = "version", .shape = string},
    {.name = "variables", .shape = object},
};

constexpr Rule responses[]{
    {.name = "model", .shape = string, .required = true},
    {.name = "input", .shape = string_or_parts, .required = true, .length = not_empty, .variants = items},
    {.name = "instructions", .shape = string},
    {.name = "max_output_tokens", .shape = integer, .speakers = databricks, .range = positive},
    {.name = "max_output_tokens", .shape = integer, .speakers = openai, .range = {.from = 16}},
    {.name = "temperature", .shape = number, .range = {.from = 0, .to = 2}},
    {.name = "top_p", .shape = number, .speakers = databricks, .range = {.from = 0, .to = 1, .above = true}},
    {.name = "top_p", .shape = number, .speakers = openai, .range = {.from = 0, .to = 1}},
    {.name = "stream", .shape = boolean},
    {.name = "stream_options", .shape = object, .members = event_options},
    {.name = "text", .shape = object, .members = text},
    {.name = "reasoning", .shape = object, .members = reasoning},
    {.name = "tools",
     .shape = objects,
     .speakers = databricks,
     .length = {.most = 32},
     .variants = offered_tools},
    {.name = "tools",
     .shape = objects,
     .speakers = openai,
     .length = {.most = 128},
     .variants = offered_tools},
    {.name = "tool_choice", .shape = string_or_object},
    {.name = "parallel_tool_calls", .shape = boolean},
    {.name = "max_tool_calls", .shape = integer, .range = positive},
    {.name = "metadata", .shape = object},
    {.name = "include", .shape = strings},
    {.name = "truncation", .shape = string, .words = truncations},
    {.name = "top_logprobs", .shape = integer, .range = {.from = 0, .to = 20}},
    {.name = "prompt_cache_key", .shape = string},
    {.name = "prompt_cache_retention", .shape = string},
    {.name = "safety_identifier", .shape = string, .speakers = databricks},
    {.name = "safety_identifier", .shape = string, .speakers = openai, .text_length = {.most = 64}},
    {.name = "prompt", .shape = object, .members = prompt},
    {.name = "user", .shape = string},
    {.name = "background", .speakers = databricks, .refused = true},
    {.name = "background", .shape = boolean, .speakers = openai},
    {.name = "store", .speakers = databricks, .refused = true},
    {.name = "store", .shape = boolean, .speakers = openai},
    {.name = "conversation", .speakers = databricks, .refused = true},
    {.name = "conversation", .shape = string_or_object, .speakers = openai},
    {.name = "service_tier", .speakers = databricks, .refused = true},
    {.name = "service_tier", .shape = string, .speakers = openai},
    {.name = "previous_response_id", .speakers = databricks, .refused = true},
    {.name = "previous_response_id", .shape = string, .speakers = openai},
};

}  // namespace

static_assert(std::size(responses) <= most_rules);

std::span<const Rule> responses_rules() noexcept { return responses; }

}  // namespace inferwire::inline v0_1::protocol
