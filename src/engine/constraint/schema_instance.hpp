/// \file
/// Whether a value that a schema lists is what the schema asks for besides.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "engine/constraint/pattern.hpp"
#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// The schema in `document` that a reference leads to; null where there is none.
const Schema* find_reference(const Schema& document, const std::string& reference);

/// Compares values with the schemas of one document.
class InstanceCheck {
 public:
  /// `doubt` is the answer where it cannot be told: by keywords and patterns that are not known. After more
  /// than `most_work` it is always no.
  InstanceCheck(const Schema& document, bool doubt, std::size_t most_work)
      : document_(document), doubt_(doubt), most_work_(most_work) {}

  bool holds(const Schema& schema, const Schema& value);
  /// Schemas and values that were looked at.
  std::size_t work() const noexcept { return work_; }

 private:
  bool keeps(const std::string& keyword, const Schema& schema, const Schema& value);
  bool number_keeps(const std::string& keyword, double bound, double number) const;
  bool text_keeps(const std::string& keyword, const Schema& bound, const std::string& text);
  bool list_keeps(const std::string& keyword, const Schema& schema, const Schema& list);
  bool object_keeps(const std::string& keyword, const Schema& schema, const Schema& object);
  bool matches(const std::string& pattern, const std::string& text);

  const Schema& document_;
  bool doubt_;
  std::size_t most_work_;
  std::size_t work_{};
  int depth_{};
  std::map<std::string, std::optional<Pattern>> patterns_;
  std::map<std::string, const Schema*> references_;  ///< null: to nothing
};

}  // namespace inferwire::inline v0_1::engine
