/// \file
/// Ids for tool calls that come without one, so that results can name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "inferwire/chat.hpp"

namespace inferwire::inline v0_1::chat {

/// Gives a call an id if it has none. It is made from `seed`, the call's place and what it calls.
void give_id(ToolCall& call, std::string_view seed, std::size_t place);
/// Gives ids to the calls of a whole answer: they get the ones that a stream's would.
void give_ids(Response& response);
/// Gives a call another one, made from the one that it has.
void give_another_id(ToolCall& call);
/// The seed for the calls of a choice, from the head of its answer. Gemini's has no id, and a time in
/// seconds.
std::string id_seed(const Response& head, std::int64_t choice);

}  // namespace inferwire::inline v0_1::chat
