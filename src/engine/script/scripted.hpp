/// \file
/// Applies a script to the answer of one request.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/answer/choice.hpp"
#include "engine/plan/chat_plan.hpp"
#include "engine/refusal.hpp"
#include "engine/script/director.hpp"
#include "engine/script/played_text.hpp"
#include "inferwire/engine/engine.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {

/// Returns the scripted reply if it is of this kind, otherwise nullptr.
template <class Kind>
const Kind* scripted(const CallFrame& frame) {
  return frame.direction ? std::get_if<Kind>(&frame.direction->reply) : nullptr;
}

/// Returns the scripted answer if it needs no model (a failure, a finished body, a request that no rule
/// matches); std::nullopt if a model is needed.
std::optional<OrRefusal<std::unique_ptr<Generation>>> answer_without_model(const CallFrame& frame);

/// Refuses a scripted reply that does not fit the request, such as a message for an embedding. `responds`:
/// whether the request is one of the Responses API.
std::optional<Refusal> check_script_fits(const CallFrame& frame, EndpointTask task, bool responds);

/// Makes the plan's model generate the scripted text, if any, without reasoning and tool calls.
template <class Plan>
OrRefusal<Plan> play(OrRefusal<Plan> plan, const CallFrame& frame) {
  const auto* text = scripted<reply::Text>(frame);
  if (text == nullptr || !plan) return plan;
  plan->model = play_text(std::move(plan->model), text->text);
  unbias(plan->options.sampling);
  if constexpr (requires { plan->parts; }) plan->parts.assign(1, Part());
  if constexpr (requires { plan->blocks; }) plan->blocks = ReasoningBlocks::none;
  return plan;
}

}  // namespace inferwire::inline v0_1::engine
