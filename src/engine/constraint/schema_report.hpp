/// \file
/// What is wrong with a schema, and where.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/constraint/grammar.hpp"
#include "engine/constraint/schema.hpp"

namespace inferwire::inline v0_1::engine {

/// The steps from a schema to a part of it.
using SchemaPath = std::vector<std::string>;

/// The path in the words of OpenAI's API.
std::string context_of(const SchemaPath& steps);

/// What is wrong with nodes for which nothing can be written, by themselves.
using Causes = std::map<NodeId, SchemaFault>;

/// Goes along through a schema and keeps the first fault: what comes after it does not matter.
class SchemaReport {
 public:
  explicit SchemaReport(Strictness strictness) noexcept : strictness_(strictness) {}

  /// On to a part of the schema, and as many steps back.
  void enter(std::initializer_list<std::string> steps) { path_.insert(path_.end(), steps); }
  void leave(std::size_t steps) { path_.resize(path_.size() - steps); }
  /// To another place; gives back where it was.
  SchemaPath go_to(SchemaPath path) { return std::exchange(path_, std::move(path)); }
  const SchemaPath& path() const noexcept { return path_; }

  void fail(std::string_view problem);
  /// A fault, but for a lenient compiler, which leaves the keyword out.
  void refuse(std::string_view keyword, std::string_view why = {});
  /// Keywords that are not known, or not shaped as they have to be; false after a fault.
  bool check_keywords(const Schema& schema);
  /// Why nothing can be written for a node: told where a whole text needs it.
  void explain(NodeId node, std::string why);

  Strictness strictness() const noexcept { return strictness_; }
  const std::optional<SchemaFault>& fault() const noexcept { return fault_; }
  const Causes& causes() const noexcept { return causes_; }

 private:
  Strictness strictness_;
  SchemaPath path_;
  std::optional<SchemaFault> fault_;
  Causes causes_;
};

}  // namespace inferwire::inline v0_1::engine
