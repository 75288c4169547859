/// \file
/// A grammar under construction from a schema.
#pragma once

#include "engine/constraint/grammar.hpp"
#include "engine/constraint/schema_budget.hpp"
#include "engine/constraint/schema_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::engine {

/// The nodes so far, the faults of the schema, and the remaining budget. Does whatever concerns more than one
/// of these.
struct GrammarDraft {
  Grammar grammar;
  SchemaReport report;
  SchemaBudget budget{};

  NodeId add(Node node);
  /// Adds a node for which nothing can be written.
  NodeId impossible();
  /// Adds such a node with the reason, which is reported if every text needs the node.
  NodeId impossible(std::string why);
  /// Reports a fault, and adds such a node.
  NodeId fail(std::string_view problem);

  /// Spends `amount` of `allowance`; reports a fault if that is too much. Returns false after any fault.
  bool afford(Allowance& allowance, std::uint64_t amount);
};

}  // namespace inferwire::inline v0_1::engine
