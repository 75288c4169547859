/// \file
/// Puts a script's reply in place of what a plan would generate.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/plan/chat_plan.hpp"
#include "engine/plan/completion_plan.hpp"
#include "engine/plan/embedding_plan.hpp"
#include "engine/plan/responses_plan.hpp"

namespace inferwire::inline v0_1::engine {

/// Makes every choice the scripted text or message, if any, without reasoning and other calls than its own.
void play_script(ChatPlan& plan, const CallFrame& frame);
void play_script(CompletionPlan& plan, const CallFrame& frame);
void play_script(ResponsesPlan& plan, const CallFrame& frame);
/// Makes every embedding the scripted row, if any.
void play_script(EmbeddingPlan& plan, const CallFrame& frame);

}  // namespace inferwire::inline v0_1::engine
