/// \file
/// Whether the messages of a chat are to each other what they have to be.
#pragma once

#include <optional>

#include "engine/answer/refusal.hpp"
#include "engine/dialect.hpp"
#include "engine/document.hpp"

namespace inferwire::inline v0_1::engine {

/// Checks `messages`, each of which keeps the rules of its dialect: where the system message stands, who has
/// to have content, what content parts there are, which tool calls are answered, whose turn it is.
Offence check_conversation(const Document& messages, const ConversationRules& rules);

}  // namespace inferwire::inline v0_1::engine
