/// \file
/// Tool calls as they are kept: those that call something, each with an id, so that results can refer to it.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/finish.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Gives a call an id if it has none, made from `seed`, the call's position and its function and arguments.
void give_id(chat::ToolCall& call, std::string_view seed, std::size_t place);
/// Whether a call has neither a name nor arguments nor members that this library does not know: LM Studio and
/// gateways put such calls next to a text.
bool calls_nothing(const chat::ToolCall& call);
/// Whether an answer that ended so was cut: by the limit, a filter or an error.
bool is_cut(Finish finish) noexcept;
/// Marks the calls of a choice that was cut as incomplete.
void mark_cut_calls(chat::Choice& choice);
/// Gives ids to the calls of a complete answer, drops those that call nothing, and marks those that were cut:
/// the calls are those that a stream would have.
void complete_calls(chat::Response& response);
/// Replaces a call's id by one made from it.
void give_another_id(chat::ToolCall& call);
/// The seed for the calls of a choice, from the head of its answer. Gemini's has no id, and a time in
/// seconds.
std::string id_seed(const chat::Response& head, std::int64_t choice);

}  // namespace inferwire::inline v0_1::wire
