/// \file
/// Adds the nodes of scalar values, and of values that a schema lists.
#pragma once

#include "engine/constraint/grammar_draft.hpp"

#include <string>
#include <vector>

namespace inferwire::inline v0_1::engine {

NodeId add_string(GrammarDraft& draft, const Schema& schema);
NodeId add_number(GrammarDraft& draft, const Schema& schema, bool integer);
/// Adds a node of one of several texts, among which there may be duplicates.
NodeId add_texts(GrammarDraft& draft, std::vector<std::string> texts);
/// Adds those values listed by const or enum that fit the rest of the schema, which is a part of `document`.
NodeId add_listed(GrammarDraft& draft, const Schema& schema, const Schema& document);

}  // namespace inferwire::inline v0_1::engine
