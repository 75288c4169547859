/// \file
/// The input of the Responses API: the relations between its items, and how the model reads them.
#pragma once

#include "engine/document.hpp"
#include "engine/plan/tool_plan.hpp"
#include "engine/refusal.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/responses.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace inferwire::inline v0_1::engine {

using Items = std::vector<responses::Item>;

/// Checks `input`, each item of which follows the rules of its dialect: that the model can read it and, with
/// `object_arguments`, that the arguments of calls are a JSON object.
std::optional<Refusal> check_input(const Document& input, bool object_arguments);

/// Checks that each output answers a call before it, in the request's input or in `earlier`.
std::optional<Refusal> check_outputs(const responses::Request& request, const Items& earlier);
/// Checks that every call in the request's input and in `earlier` has an output.
std::optional<Refusal> check_all_answered(const responses::Request& request, const Items& earlier);

/// The conversation: the request's instructions, `earlier`, and the request's input. The model does not read
/// reasoning again.
std::vector<ChatTurn> turns_of(const responses::Request& request, const Items& earlier);

/// The calls after the user's last message.
CallCounts calls_of(const responses::Request& request, const Items& earlier);

/// The input as it is listed, except that ids may be missing.
Items listed_input(const responses::Request& request);
/// The id of an item; empty if it has none.
std::string_view id_of(const responses::Item& item);
/// The memory that an item takes, or more. With its lists, a logprob takes far more than its token's text.
std::size_t memory_of(const responses::Item& item);
/// Gives ids to the items that have none. `id_suffix` is the request's.
void give_ids(Items& items, const std::string& id_suffix);

}  // namespace inferwire::inline v0_1::engine
