/// \file
/// Rewrites answers of agents on Databricks (`agent/v2/chat`) in the usual form of chat. An agent calls its
/// tools itself: its calls and their results are no part of its answer, and are kept in `extra`, in a list
/// `messages`.
#pragma once

#include "inferwire/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace inferwire::inline v0_1::wire {

/// Makes choice 0 of a chunk from the delta that it has in place of choices.
std::string agent_chunk(std::string_view text, const Json& delta);

/// Makes choice 0 of an answer from the list of messages that it has in place of choices. Its text is that of
/// all of the agent's messages, as in a stream. std::nullopt if it is no such answer; a list without a
/// message of the agent is none.
std::optional<std::string> agent_answer(std::string_view text);

}  // namespace inferwire::inline v0_1::wire
