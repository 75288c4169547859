/// \file
/// Plays a script's message as a chat's answer.
#pragma once

#include "engine/plan/chat_plan.hpp"
#include "inferwire/engine/script.hpp"

namespace inferwire::inline v0_1::engine {

/// Makes every choice of the plan the message, without reasoning: its text or its content, then its calls.
void play_message(ChatPlan& plan, const reply::Message& message);

}  // namespace inferwire::inline v0_1::engine
