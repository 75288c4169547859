/// \file
/// A grammar while it is made of a schema.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/constraint/grammar.hpp"
#include "engine/constraint/schema_budget.hpp"
#include "engine/constraint/schema_report.hpp"

namespace inferwire::inline v0_1::engine {

/// Its nodes so far, what is wrong with the schema, and what may still be spent on it. Whatever concerns more
/// than one of these is done here.
struct GrammarDraft {
  Grammar grammar;
  SchemaReport report;
  SchemaBudget budget{};

  NodeId add(Node node);
  /// One for which nothing can be written.
  NodeId impossible();
  /// Adds such a node with the reason that is told where a whole text needs it.
  NodeId impossible(std::string why);
  /// Reports a fault, and adds such a node.
  NodeId fail(std::string_view problem);

  /// Whether so much more of one thing in the budget may be spent, which is a fault if not; false after any
  /// fault.
  bool afford(Allowance& allowance, std::size_t amount);
};

}  // namespace inferwire::inline v0_1::engine
