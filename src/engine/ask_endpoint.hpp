/// \file
/// Asks a model to answer a request: plans it, applies the script, and hands it to the handler.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/document.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/responses_plan.hpp"
#include "engine/router.hpp"
#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

/// Answers the question, which arrived on the path of `task`, or refuses it: the endpoint does not support
/// the task, or the document is wrong.
Answer ask_endpoint(Task task, const Question& question, const Memory& memory, const CallFrame& frame);

/// Whether the answer may be truncated at the deadline instead of failing: only completions have
/// `error_behavior`.
bool may_truncate(Task task, const Document& document, const Endpoint& endpoint);

}  // namespace inferwire::inline v0_1::engine
