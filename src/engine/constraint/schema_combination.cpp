#include "engine/constraint/schema_combination.hpp"

#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_merge.hpp"
#include "engine/constraint/schema_reference.hpp"
#include "engine/constraint/schema_work.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

class Combination {
 public:
  Combination(const Schema& document, GrammarDraft& draft) : document_(document), draft_(draft) {}

  Schema of(Schema schema) {
    take_apart(schema);
    for (std::size_t at = 0; at < more_.size(); ++at) {
      auto other = std::move(more_[at]);
      if (!draft_.afford(draft_.budget.copies, work_of_merging(schema, other))) break;
      if (other.is_object()) {
        if (!draft_.report.check_keywords(other)) break;
        take_apart(other);
      }
      if (const auto conflict = merge_into(schema, other); !conflict.empty()) {
        draft_.report.refuse(conflict, "it cannot be combined with another '" + conflict + "'");
      }
    }
    return schema;
  }

 private:
  /// Moves the schemas that `schema` includes to the end of `more_`. A reference counts once: a schema that
  /// includes itself requires nothing more by that.
  void take_apart(Schema& schema) {
    if (const auto all = schema.find("allOf"); all != schema.end()) {
      std::ranges::move(*all, std::back_inserter(more_));
      schema.erase("allOf");
    }
    if (const auto reference = schema.find("$ref"); reference != schema.end()) {
      const auto name = reference->get<std::string>();
      schema.erase("$ref");
      if (!references_.insert(name).second) return;
      const auto* target = resolve(document_, name, draft_.report);
      if (target == nullptr) return;
      auto whole = without_annotations(*target);
      if (draft_.afford(draft_.budget.copies, work_of_copying(whole))) more_.push_back(std::move(whole));
    }
  }

  const Schema& document_;
  GrammarDraft& draft_;
  std::vector<Schema> more_;
  std::set<std::string> references_;
};

}  // namespace

Schema put_together(Schema schema, const Schema& document, GrammarDraft& draft) {
  return Combination(document, draft).of(std::move(schema));
}

}  // namespace inferwire::inline v0_1::engine
