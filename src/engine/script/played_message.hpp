/// \file
/// A chat's answer that is a message from a script.
#pragma once

#include "engine/plan/chat_plan.hpp"
#include "inferwire/engine/script.hpp"

namespace inferwire::inline v0_1::engine {

/// Makes every choice of the plan say the message, without thoughts: its text or its content, then its calls.
void play_message(ChatPlan& plan, const reply::Message& message);

}  // namespace inferwire::inline v0_1::engine
