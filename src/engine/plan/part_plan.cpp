#include "engine/plan/part_plan.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

OrRefusal<std::vector<Part>> plan_parts(std::optional<Part> thought, const ToolRequest& tools,
                                        const OutputFormat& format, std::string_view format_param,
                                        const Dialect& dialect,
                                        const std::shared_ptr<const LanguageModel>& model) {
  auto grammar = grammar_of(format, format_param, tools.question, dialect, model);
  if (!grammar) return std::move(grammar).refusal();
  auto calls = plan_calls(tools, dialect, model);
  if (!calls) return calls;
  if (calls->empty()) calls->push_back({.grammar = *std::move(grammar)});
  if (thought) calls->insert(calls->begin(), *std::move(thought));
  return calls;
}

}  // namespace inferwire::inline v0_1::engine
