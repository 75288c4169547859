#include "engine/constraint/grammar_draft.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {

NodeId GrammarDraft::add(Node node) {
  budget.nodes.spend(1);
  return grammar.add(std::move(node));
}

NodeId GrammarDraft::impossible() { return add(Alternatives{}); }

NodeId GrammarDraft::impossible(std::string why) {
  const auto id = impossible();
  report.explain(id, std::move(why));
  return id;
}

NodeId GrammarDraft::fail(std::string_view problem) {
  report.fail(problem);
  return impossible();
}

bool GrammarDraft::afford(Allowance& allowance, std::uint64_t amount) {
  if (!allowance.spend(amount)) report.fail(too_many_parts);
  return !report.fault();
}

}  // namespace inferwire::inline v0_1::engine
