/// \file
/// What is wrong with a schema, and where.
#pragma once

#include "engine/constraint/grammar.hpp"
#include "engine/constraint/schema.hpp"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The steps from a schema to a part of it.
using SchemaPath = std::vector<std::string>;

/// The path as OpenAI's API writes it.
std::string context_of(const SchemaPath& steps);

/// Why nothing can be written for a node, if the reason lies in the node itself.
using Causes = std::map<NodeId, SchemaFault>;

/// Tracks the position in a schema, and keeps the first fault; later ones do not matter.
class SchemaReport {
 public:
  explicit SchemaReport(Strictness strictness) noexcept : strictness_(strictness) {}

  /// Goes down to a part of the schema; `leave` goes as many steps back.
  void enter(std::initializer_list<std::string> steps) { path_.insert(path_.end(), steps); }
  void leave(std::size_t steps) { path_.resize(path_.size() - steps); }
  /// Goes to another place; returns the previous one.
  SchemaPath go_to(SchemaPath path) { return std::exchange(path_, std::move(path)); }
  const SchemaPath& path() const noexcept { return path_; }

  void fail(std::string_view problem);
  /// Reports a fault, except for a lenient compiler, which ignores the keyword.
  void refuse(std::string_view keyword, std::string_view why = {});
  /// Reports keywords that are unsupported or have values of the wrong shape; false after a fault.
  bool check_keywords(const Schema& schema);
  /// Records why nothing can be written for a node, which is reported if every text needs the node.
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
