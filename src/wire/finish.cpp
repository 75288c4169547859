#include "inferwire/finish.hpp"

#include "base/ascii.hpp"

namespace inferwire::inline v0_1 {

std::string_view name(Finish finish) noexcept {
  switch (finish) {
    case Finish::none: return "";
    case Finish::stop: return "stop";
    case Finish::length: return "length";
    case Finish::tool_calls: return "tool_calls";
    case Finish::content_filter: return "content_filter";
    case Finish::error: return "error";
    case Finish::other: return "other";
  }
  return "";
}

Finish finish_of(const FinishReason& reason, bool has_tool_calls) noexcept {
  if (reason.empty()) return Finish::none;
  // Gemini: "content_filter: PROHIBITED_CONTENT".
  const std::string_view said = reason;
  const auto word = said.substr(0, said.find(':'));
  // Gateways in front of Gemini pass its reasons through: "STOP", "MAX_TOKENS".
  const auto is = [word](std::string_view known) { return ascii::equal_ignoring_case(word, known); };
  if (is(FinishReason::eos_token)) return has_tool_calls ? Finish::tool_calls : Finish::stop;
  struct Word {
    std::string_view reason;
    Finish finish;
  };
  static constexpr Word words[] = {
      {FinishReason::stop, Finish::stop},
      {FinishReason::stop_sequence, Finish::stop},
      {"end_turn", Finish::stop},
      {"eos", Finish::stop},  // Together
      {"end", Finish::stop},  // some gateways
      {FinishReason::length, Finish::length},
      {"max_tokens", Finish::length},
      {"model_length", Finish::length},                   // Mistral
      {"model_context_window_exceeded", Finish::length},  // Claude
      {FinishReason::tool_calls, Finish::tool_calls},
      {FinishReason::function_call, Finish::tool_calls},
      {"tool_use", Finish::tool_calls},
      {FinishReason::content_filter, Finish::content_filter},
      {"refusal", Finish::content_filter},                    // Claude
      {"sensitive", Finish::content_filter},                  // GLM
      {"input_guardrail_triggered", Finish::content_filter},  // Databricks
      {"output_guardrail_triggered", Finish::content_filter},
      // Gemini
      {"safety", Finish::content_filter},
      {"recitation", Finish::content_filter},
      {"prohibited_content", Finish::content_filter},
      {"blocklist", Finish::content_filter},
      {"spii", Finish::content_filter},
      {FinishReason::error, Finish::error},
      {"network_error", Finish::error},                 // GLM
      {"insufficient_system_resource", Finish::error},  // DeepSeek
      {FinishReason::abort, Finish::error},
      // Gemini: a call that it could not read, or to a function that the request does not have
      {"function_call_filter", Finish::error},
      {"malformed_function_call", Finish::error},
      {"unexpected_tool_call", Finish::error},
  };
  for (const Word& row : words) {
    if (is(row.reason)) return row.finish;
  }
  return Finish::other;
}

}  // namespace inferwire::inline v0_1
