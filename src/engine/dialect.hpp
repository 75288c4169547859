/// \file
/// How the providers speak whose mounts the engine serves: rows, read by the router, the checks and the
/// answers.
#pragma once

#include <cstdint>
#include <string>

#include "engine/refusal.hpp"
#include "protocol/rules.hpp"

namespace inferwire::inline v0_1::engine {

/// The JSON that carries an error.
enum class ErrorForm : std::uint8_t {
  openai,      ///< {"error": {"message", "type", "param", "code"}}
  databricks,  ///< {"error_code", "message"}
};

struct Dialect {
  protocol::Speaker speaker{};          ///< whose rules requests have to keep
  protocol::Speaker preview_speaker{};  ///< the same for endpoints of the preview era
  ErrorForm errors{};
  bool refuses_unknown_members{};
  bool system_first_only{};      ///< a system message once, as the first of a conversation
  bool limits_parameters{};      ///< at most 15 properties in the parameters of a tool
  bool usage_by_endpoint{};      ///< whether every chunk counts is for the endpoint to say
  bool many_choices_anywhere{};  ///< `n` > 1 for endpoints without provisioned throughput too
  bool any_text_task{};          ///< endpoints of chat complete texts as well, and the other way round
  bool prompt_templates{};       ///< prompts of completions are put into the model's template unless raw
  bool appends_suffix{};         ///< a completion's `suffix` is put after it, and not what it leads up to
  bool responds_for_all{};       ///< the Responses API is there for models that are not OpenAI's too
  int completion_tokens{};       ///< most tokens of a completion without `max_tokens`; 0: no limit
};

inline constexpr Dialect databricks_dialect{
    .speaker = protocol::Speaker::databricks,
    .preview_speaker = protocol::Speaker::databricks_preview,
    .errors = ErrorForm::databricks,
    .refuses_unknown_members = protocol::refuses_unknown_members(protocol::Speaker::databricks),
    .system_first_only = true,
    .limits_parameters = true,
    .usage_by_endpoint = true,
    .many_choices_anywhere = false,
    .any_text_task = false,
    .prompt_templates = true,
    .appends_suffix = true,
    .responds_for_all = false,
    .completion_tokens = 0};
inline constexpr Dialect openai_dialect{
    .speaker = protocol::Speaker::openai,
    .preview_speaker = protocol::Speaker::openai,
    .errors = ErrorForm::openai,
    .refuses_unknown_members = protocol::refuses_unknown_members(protocol::Speaker::openai),
    .system_first_only = false,
    .limits_parameters = false,
    .usage_by_endpoint = false,
    .many_choices_anywhere = true,
    .any_text_task = true,
    .prompt_templates = false,
    .appends_suffix = false,
    .responds_for_all = true,
    .completion_tokens = 16};

/// Databricks' Responses API gives OpenAI's errors; it is there for OpenAI's models.
inline constexpr Dialect databricks_responses_dialect = [] {
  auto dialect = databricks_dialect;
  dialect.errors = ErrorForm::openai;
  return dialect;
}();
/// The same for all others.
inline constexpr Dialect databricks_open_responses_dialect = [] {
  auto dialect = databricks_responses_dialect;
  dialect.responds_for_all = true;
  return dialect;
}();

/// The body of an error answer.
std::string error_body(ErrorForm form, const Refusal& refusal);

}  // namespace inferwire::inline v0_1::engine
