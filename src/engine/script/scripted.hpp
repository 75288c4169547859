/// \file
/// Applies a script to the answer of one request.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/refusal.hpp"
#include "engine/script/director.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/script.hpp"

#include <optional>
#include <variant>

namespace inferwire::inline v0_1::engine {

/// Returns the scripted reply if it is of this kind, otherwise nullptr.
template <class Kind>
const Kind* scripted(const CallFrame& frame) {
  return frame.direction ? std::get_if<Kind>(&frame.direction->reply) : nullptr;
}

/// Returns the scripted answer if it needs no model (a failure, a finished body, a request that no rule
/// matches); std::nullopt if a model is needed.
std::optional<Answer> answer_without_model(const CallFrame& frame);

/// Refuses a scripted reply that does not fit the request, such as a message for an embedding. `responds`:
/// whether the request is one of the Responses API.
std::optional<Refusal> check_script_fits(const CallFrame& frame, EndpointTask task, bool responds);

}  // namespace inferwire::inline v0_1::engine
