#include "engine/plan/part_plan.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

OrRefusal<std::vector<Part>> plan_parts(std::optional<Part> thought, const ToolRequest& tools,
                                        const OutputFormat& format, std::string_view format_param,
                                        const Dialect& dialect,
                                        const std::shared_ptr<const LanguageModel>& model) {
  auto grammar = grammar_of(format, format_param, tools.question, dialect, model);
  if (auto* refusal = std::get_if<Refusal>(&grammar)) return std::move(*refusal);
  auto calls = plan_calls(tools, dialect, model);
  if (std::holds_alternative<Refusal>(calls)) return calls;
  auto& parts = std::get<std::vector<Part>>(calls);
  if (parts.empty()) parts.push_back({.grammar = std::get<0>(std::move(grammar))});
  if (thought) parts.insert(parts.begin(), *std::move(thought));
  return calls;
}

}  // namespace inferwire::inline v0_1::engine
