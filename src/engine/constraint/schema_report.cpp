#include "engine/constraint/schema_report.hpp"

#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_keywords.hpp"

namespace inferwire::inline v0_1::engine {

std::string context_of(const SchemaPath& steps) {
  std::string context = "(";
  for (const auto& step : steps) context += (context.size() > 1 ? ", '" : "'") + step + "'";
  return context + (steps.size() == 1 ? ",)" : ")");
}

void SchemaReport::fail(std::string_view problem) {
  if (!fault_) fault_ = SchemaFault{.context = context_of(path_), .problem = std::string(problem)};
}

void SchemaReport::refuse(std::string_view keyword, std::string_view why) {
  if (strictness_ == Strictness::lenient) return;
  fail("'" + std::string(keyword) + "' is not permitted" + (why.empty() ? "" : ": ") + std::string(why));
}

bool SchemaReport::check_keywords(const Schema& schema) {
  for (const auto& [keyword, value] : schema.items()) {
    if (is_annotation(keyword)) continue;
    if (!shape_of(keyword) || (keyword == "oneOf" && strictness_ != Strictness::lenient)) {
      refuse(keyword);
    } else if (const auto problem = fault_of_value(keyword, value); !problem.empty()) {
      fail(problem);
    }
  }
  return !fault_;
}

void SchemaReport::explain(NodeId node, std::string why) {
  causes_.emplace(node, SchemaFault{.context = context_of(path_), .problem = std::move(why)});
}

}  // namespace inferwire::inline v0_1::engine
