#include "inferwire/finish.hpp"

#include "support/catch.hpp"

#include <sstream>
#include <string_view>
#include <tuple>

using namespace inferwire;

TEST_CASE("Finish and FinishReason go into an ostream") {
  std::ostringstream out;
  out << Finish::length << ' ' << FinishReason(FinishReason::eos_token);
  CHECK(out.str() == "length eos_token");
}

TEST_CASE("finish_of maps the finish reasons of all providers") {
  const auto [reason, finish, word] = GENERATE(table<std::string_view, Finish, std::string_view>({
      {"", Finish::none, ""},
      {"stop", Finish::stop, "stop"},
      {"stop_sequence", Finish::stop, "stop"},
      {"end_turn", Finish::stop, "stop"},
      {"eos_token", Finish::stop, "stop"},
      {"length", Finish::length, "length"},
      {"max_tokens", Finish::length, "length"},
      {"tool_calls", Finish::tool_calls, "tool_calls"},
      {"function_call", Finish::tool_calls, "tool_calls"},
      {"tool_use", Finish::tool_calls, "tool_calls"},
      {"content_filter", Finish::content_filter, "content_filter"},
      {"error", Finish::error, "error"},
      {"abort", Finish::error, "error"},
      {"eos", Finish::stop, "stop"},
      {"model_length", Finish::length, "length"},
      {"model_context_window_exceeded", Finish::length, "length"},
      {"content_filter: PROHIBITED_CONTENT", Finish::content_filter, "content_filter"},
      {"refusal", Finish::content_filter, "content_filter"},
      {"sensitive", Finish::content_filter, "content_filter"},
      {"input_guardrail_triggered", Finish::content_filter, "content_filter"},  // Databricks
      {"output_guardrail_triggered", Finish::content_filter, "content_filter"},
      {"network_error", Finish::error, "error"},
      {"insufficient_system_resource", Finish::error, "error"},
      // https://github.com/QwenLM/qwen-code/issues/9882, https://github.com/earendil-works/pi/issues/2107
      {"STOP", Finish::stop, "stop"},
      {"MAX_TOKENS", Finish::length, "length"},
      {"end", Finish::stop, "stop"},
      {"SAFETY", Finish::content_filter, "content_filter"},
      {"RECITATION", Finish::content_filter, "content_filter"},
      {"PROHIBITED_CONTENT", Finish::content_filter, "content_filter"},
      {"BLOCKLIST", Finish::content_filter, "content_filter"},
      {"SPII", Finish::content_filter, "content_filter"},
      {"MALFORMED_FUNCTION_CALL", Finish::error, "error"},
      {"UNEXPECTED_TOOL_CALL", Finish::error, "error"},
      {"function_call_filter: MALFORMED_FUNCTION_CALL", Finish::error, "error"},
      {"tired", Finish::other, "other"},
  }));
  CAPTURE(reason);
  CHECK(finish_of(FinishReason(reason), false) == finish);
  CHECK(name(finish) == word);
}

TEST_CASE("finish_of eos_token after tool calls is tool_calls") {
  CHECK(finish_of(FinishReason(FinishReason::eos_token), true) == Finish::tool_calls);
  CHECK(finish_of(FinishReason("EOS_TOKEN"), true) == Finish::tool_calls);
  CHECK(finish_of(FinishReason(FinishReason::stop), true) == Finish::stop);
}
