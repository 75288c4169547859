/// \file
/// The tables of Response and what it holds: the only place that spells their names. Flags: json/table.hpp.
#pragma once

#include "inferwire/responses.hpp"
#include "json/table.hpp"
#include "wire/prompt_cache_options_table.hpp"
#include "wire/response_items_table.hpp"
#include "wire/usage_table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<responses::CustomToolFormat> {
  using Self = responses::CustomToolFormat;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(syntax),
      INFERWIRE_FIELD(definition),
  };
};

template <>
struct Fields<responses::Tool> {
  using Self = responses::Tool;
  static constexpr std::string_view nest = "function";
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(name, in_nest),
      INFERWIRE_FIELD(description, in_nest),
      INFERWIRE_FIELD(parameters, in_nest),
      INFERWIRE_FIELD(strict, in_nest),
      INFERWIRE_FIELD(format),
  };
};

template <>
struct Fields<responses::NamedToolChoice> {
  using Self = responses::NamedToolChoice;
  static constexpr std::string_view nest = "function";
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(name, in_nest),
      INFERWIRE_FIELD(mode),
      INFERWIRE_FIELD(tools),
  };
};

template <>
struct Fields<responses::TextFormat> {
  using Self = responses::TextFormat;
  static constexpr std::string_view nest = "json_schema";
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(type),
      INFERWIRE_FIELD(name, in_nest),
      INFERWIRE_FIELD(description, in_nest),
      INFERWIRE_FIELD(schema, in_nest),
      INFERWIRE_FIELD(strict, in_nest),
  };
};

template <>
struct Fields<responses::TextConfig> {
  using Self = responses::TextConfig;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(format),
      INFERWIRE_FIELD(verbosity),
  };
};

template <>
struct Fields<responses::ReasoningConfig> {
  using Self = responses::ReasoningConfig;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(effort),
      INFERWIRE_FIELD(mode),
      INFERWIRE_FIELD(summary),
      INFERWIRE_FIELD(context),
      INFERWIRE_FIELD(encrypted_content),
  };
};

template <>
struct Fields<responses::Prompt> {
  using Self = responses::Prompt;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(version),
      INFERWIRE_FIELD(variables),
  };
};

template <>
struct Fields<responses::Conversation> {
  using Self = responses::Conversation;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id, keep_empty),
  };
};

template <>
struct Fields<responses::ResponseError> {
  using Self = responses::ResponseError;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(code, or_number),
      INFERWIRE_FIELD(message),
      INFERWIRE_FIELD(param),
      INFERWIRE_FIELD(type),
  };
};

template <>
struct Fields<responses::IncompleteDetails> {
  using Self = responses::IncompleteDetails;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(reason),
  };
};

template <>
struct Fields<responses::Response> {
  using Self = responses::Response;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created_at),
      INFERWIRE_FIELD(status),
      INFERWIRE_FIELD(completed_at, emit_null),
      INFERWIRE_FIELD(error, emit_null),
      INFERWIRE_FIELD(incomplete_details, emit_null),
      INFERWIRE_FIELD(instructions, emit_null),
      INFERWIRE_FIELD(max_output_tokens, emit_null),
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(output, required | keep_empty),
      INFERWIRE_FIELD(parallel_tool_calls),
      INFERWIRE_FIELD(previous_response_id, emit_null),
      INFERWIRE_FIELD(reasoning),
      INFERWIRE_FIELD(store),
      INFERWIRE_FIELD(temperature),
      INFERWIRE_FIELD(text),
      INFERWIRE_FIELD(tool_choice),
      INFERWIRE_FIELD(tools),
      INFERWIRE_FIELD(top_p),
      INFERWIRE_FIELD(truncation),
      INFERWIRE_FIELD(usage, emit_null),
      INFERWIRE_FIELD(user),
      INFERWIRE_FIELD(metadata),
      INFERWIRE_FIELD(background),
      INFERWIRE_FIELD(conversation),
      INFERWIRE_FIELD(prompt),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(top_logprobs),
      INFERWIRE_FIELD(max_tool_calls),
      INFERWIRE_FIELD(prompt_cache_key),
      INFERWIRE_FIELD(prompt_cache_options),
      INFERWIRE_FIELD(prompt_cache_retention),
      INFERWIRE_FIELD(safety_identifier),
      INFERWIRE_FIELD(moderation),
      INFERWIRE_FIELD(custom_outputs),
  };
};

}  // namespace inferwire::inline v0_1::json
