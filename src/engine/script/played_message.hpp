/// \file
/// Answers a chat with a message that a script gives.
#pragma once

#include <memory>

#include "engine/answer/call_frame.hpp"
#include "engine/plan/chat_plan.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"

namespace inferwire::inline v0_1::engine {

/// The answer to a planned request, streamed in the order that clients need: the role, the content, of every
/// call its id, type and name with empty arguments, then the arguments in pieces of a token.
std::unique_ptr<Generation> answer_message(ChatPlan plan, const CallFrame& frame,
                                           const reply::Message& message);

}  // namespace inferwire::inline v0_1::engine
