/// \file
/// Checks whether a value listed in a schema satisfies the schema's other keywords.
#pragma once

#include "engine/constraint/pattern.hpp"
#include "engine/constraint/schema.hpp"
#include "engine/constraint/schema_budget.hpp"

#include <map>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::engine {

/// Checks values against the schemas of one document.
class InstanceCheck {
 public:
  /// `doubt` is the answer for keywords and patterns that are not supported. The schemas and values examined
  /// are spent from `work`; once it is exceeded, the answer is always no.
  InstanceCheck(const Schema& document, bool doubt, Allowance& work)
      : document_(document), doubt_(doubt), work_(work) {}

  bool holds(const Schema& schema, const Schema& value);

 private:
  bool keeps(const std::string& keyword, const Schema& schema, const Schema& value);
  bool number_keeps(const std::string& keyword, double bound, double number) const;
  bool text_keeps(const std::string& keyword, const Schema& bound, const std::string& text);
  bool list_keeps(const std::string& keyword, const Schema& schema, const Schema& list);
  bool object_keeps(const std::string& keyword, const Schema& schema, const Schema& object);
  bool matches(const std::string& pattern, const std::string& text);

  const Schema& document_;
  bool doubt_;
  Allowance& work_;
  int depth_{};
  std::map<std::string, std::optional<Pattern>> patterns_;
  std::map<std::string, const Schema*> references_;  ///< null: cannot be resolved
};

}  // namespace inferwire::inline v0_1::engine
