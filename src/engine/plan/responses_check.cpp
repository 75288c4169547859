#include "engine/plan/responses_check.hpp"

#include "engine/plan/response_input.hpp"
#include "engine/plan/sampling_plan.hpp"
#include "engine/plan/tool_plan.hpp"

#include <optional>

namespace inferwire::inline v0_1::engine {
namespace {

std::optional<Refusal> check_text_format(const Document& document) {
  const auto* text = member(document, "text");
  const auto* format = text != nullptr ? member(*text, "format") : nullptr;
  if (format == nullptr || *member(*format, "type") != "json_schema") return std::nullopt;
  const bool nested = member(*format, "json_schema") != nullptr;
  if (nested || (member(*format, "name") != nullptr && member(*format, "schema") != nullptr)) {
    return std::nullopt;
  }
  return refuse::missing(member(*format, "name") == nullptr ? "text.format.name" : "text.format.schema");
}

std::optional<Refusal> check_responses_capabilities(const Document& document, const Endpoint& endpoint) {
  if (member(document, "reasoning") != nullptr && endpoint.reasoning == Reasoning::none) {
    return refuse::unsupported("reasoning", "is only accepted by reasoning models");
  }
  if (member(document, "conversation") != nullptr)
    return refuse::unsupported("conversation", "is not supported by this engine");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> check_response(const Question& question) {
  const auto& [document, body, endpoint, dialect, seed] = question;
  if (const auto* input = member(document, "input"); input != nullptr) {
    if (auto bad = check_input(*input, dialect.conversation.object_arguments)) return bad;
  }
  if (auto bad = check_metadata(document)) return bad;
  if (auto bad = check_tools(document, flat_spelling)) return bad;
  if (auto bad = check_tool_choice(document, flat_spelling, dialect)) return bad;
  if (auto bad = check_text_format(document)) return bad;
  return check_responses_capabilities(document, endpoint);
}

}  // namespace inferwire::inline v0_1::engine
