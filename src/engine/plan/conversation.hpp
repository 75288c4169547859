/// \file
/// What the messages of a chat have to be to each other.
#pragma once

#include <optional>

#include "engine/answer/refusal.hpp"
#include "engine/document.hpp"

namespace inferwire::inline v0_1::engine {

struct ConversationRules {
  bool system_first_only{};  ///< a system message once, as the first
  bool alternates{};         ///< user and assistant take turns, and the user has the last word (preview era)
  bool answers_follow_calls{};  ///< the message after one with tool calls answers one of them, and none
                                ///< answers others
  bool answers_all_calls{};     ///< those behind it answer each of its calls, and none answers others
  bool object_arguments{};      ///< calls have a JSON object for arguments
  bool cache_control{};         ///< tool calls may say `cache_control`
};

/// Checks `messages`, each of which keeps the rules of its dialect: where the system message stands, who has
/// to have content, what content parts there are, which tool calls are answered, whose turn it is.
Offence check_conversation(const Document& messages, const ConversationRules& rules);

}  // namespace inferwire::inline v0_1::engine
