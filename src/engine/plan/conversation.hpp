/// \file
/// Checks the relations between the messages of a chat.
#pragma once

#include "engine/dialect.hpp"
#include "engine/document.hpp"
#include "engine/refusal.hpp"

#include <optional>

namespace inferwire::inline v0_1::engine {

/// Checks `messages`, each of which follows the rules of its dialect: the position of the system message,
/// required content, kinds of content parts, answers to tool calls, and the order of turns.
std::optional<Refusal> check_conversation(const Document& messages, const ConversationRules& rules);

}  // namespace inferwire::inline v0_1::engine
