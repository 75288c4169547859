/// \file
/// Plans the parts of an answer.
#pragma once

#include "engine/answer/choice.hpp"
#include "engine/dialect.hpp"
#include "engine/plan/output_format.hpp"
#include "engine/plan/tool_plan.hpp"
#include "engine/refusal.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The `thought` if there is one, then tool calls, or else text in the `format`, which the request's member
/// `format_param` holds; or a refusal.
OrRefusal<std::vector<Part>> plan_parts(std::optional<Part> thought, const ToolRequest& tools,
                                        const OutputFormat& format, std::string_view format_param,
                                        const Dialect& dialect,
                                        const std::shared_ptr<const LanguageModel>& model);

}  // namespace inferwire::inline v0_1::engine
