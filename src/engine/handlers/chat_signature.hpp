/// \file
/// What chat answers say about themselves.
#pragma once

#include <string>
#include <string_view>

#include "engine/answer/call_frame.hpp"
#include "engine/plan/chat_plan.hpp"

namespace inferwire::inline v0_1::engine {

/// Fills in a chunk or a response, whose provider calls it `object`.
template <class Document>
void sign_chat(Document& document, const CallFrame& frame, const ChatPlan& plan, std::string_view object,
               bool says_model) {
  const auto& form = frame.dialect.chat;
  document.id = std::string(form.id_prefix) + (form.counted_ids ? std::to_string(frame.turn) : frame.number);
  document.object = object;
  if (form.says_created) document.created = frame.created;
  if (says_model) document.model = plan.served_model;
  if (form.says_fingerprint) document.system_fingerprint = std::string(plan.model->id());
}

/// Says of a choice that it has no logprobs, where the provider says so.
template <class Choice>
void say_no_logprobs(Choice& choice, const ChatForm& form, const ChatPlan& plan) {
  if (form.null_logprobs && !plan.logprobs) choice.extra.append("logprobs", Json::raw("null"));
}

}  // namespace inferwire::inline v0_1::engine
