/// \file
/// The input of the Responses API: what its items have to be to each other, and how the model reads them.
#pragma once

#include <optional>
#include <vector>

#include "engine/answer/refusal.hpp"
#include "engine/document.hpp"
#include "engine/plan/tool_plan.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/responses.hpp"

namespace inferwire::inline v0_1::engine {

using Items = std::vector<responses::Item>;

/// Checks `input`, each item of which keeps the rules of its dialect: what the model can read, and, with
/// `object_arguments`, that calls have a JSON object for arguments.
Offence check_input(const Document& input, bool object_arguments);

/// Whether outputs in a request's input answer calls before them, of those in `earlier` as well.
Offence check_outputs(const responses::Request& request, const Items& earlier);
/// Whether every call there has an output.
Offence check_all_answered(const responses::Request& request, const Items& earlier);

/// The conversation that a request goes on with behind `earlier`, its own instructions first. Reasoning is
/// the model's own and not read again.
std::vector<ChatTurn> turns_of(const responses::Request& request, const Items& earlier);

/// The calls behind the user's last words there.
CallCounts calls_of(const responses::Request& request, const Items& earlier);

/// The input in the one form of several in which it is listed, but for the ids that are missing.
Items listed_input(const responses::Request& request);
/// The id of an item; empty when it has none.
std::string_view id_of(const responses::Item& item);
/// Gives ids to those that have none. `id_suffix` is the request's.
void give_ids(Items& items, const std::string& id_suffix);

}  // namespace inferwire::inline v0_1::engine
