/// \file
/// Ids for tool calls that were sent without one, so that results can refer to them.
#pragma once

#include "inferwire/chat.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Gives a call an id if it has none, made from `seed`, the call's position and its function and arguments.
void give_id(chat::ToolCall& call, std::string_view seed, std::size_t place);
/// Gives ids to the calls of a complete answer: the same as a stream's calls would get.
void give_ids(chat::Response& response);
/// Replaces a call's id by one made from it.
void give_another_id(chat::ToolCall& call);
/// The seed for the calls of a choice, from the head of its answer. Gemini's has no id, and a time in
/// seconds.
std::string id_seed(const chat::Response& head, std::int64_t choice);

}  // namespace inferwire::inline v0_1::wire
