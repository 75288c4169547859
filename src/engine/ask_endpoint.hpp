/// \file
/// Asks a model for what a request wants: plans it, lets a script have its say, and hands it to the handler.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/document.hpp"
#include "engine/plan/question.hpp"
#include "engine/plan/responses_plan.hpp"
#include "engine/router.hpp"
#include "inferwire/engine/engine.hpp"

namespace inferwire::inline v0_1::engine {

/// Answers the question, which came by the path of `task`, or refuses it: the endpoint cannot do what is
/// asked, or the document is wrong.
Answer ask_endpoint(Task task, const Question& question, const Memory& memory, const CallFrame& frame);

/// Whether the answer may end at the deadline instead of being an error: `error_behavior` is a word of
/// completions alone.
bool may_truncate(Task task, const Document& document, const Endpoint& endpoint);

}  // namespace inferwire::inline v0_1::engine
