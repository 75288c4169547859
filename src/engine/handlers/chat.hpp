/// \file
/// Answers chat completions.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/plan/chat_plan.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>

namespace inferwire::inline v0_1::engine {

/// The answer to a planned request, streamed or whole: one token of work per step.
std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame);

}  // namespace inferwire::inline v0_1::engine
