/// \file
/// What whole and streamed answers of chats have in common.
#pragma once

#include "engine/answer/call_frame.hpp"
#include "engine/handlers/text_answer.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "engine/plan/chat_plan.hpp"
#include "engine/plan/reasoning.hpp"
#include "inferwire/chat.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::engine {

/// The plan, and what it determines about a choice, a part or a call.
class ChatAnswer : public TextAnswer {
 public:
  ChatAnswer(ChatPlan plan, CallFrame frame)
      : TextAnswer(std::move(frame), plan.streamed, plan.usage), plan_(std::move(plan)) {}

 protected:
  /// Fills in what identifies a chunk or response; `object`: the provider's name for its kind.
  template <class Signed>
  void sign(Signed& answer, std::string_view object, bool says_model) const {
    answer.id = std::string(form().id_prefix) +
                (form().counted_ids ? std::to_string(frame().request_number) : frame().id_suffix);
    answer.object = object;
    if (form().says_created) answer.created = frame().created;
    if (says_model) answer.model = plan_.served_model;
    if (form().says_fingerprint) answer.system_fingerprint = std::string(plan_.model->id());
  }

  /// The wire value for why a choice ended.
  FinishReason word(GenerationEnd reason) const {
    const bool calls = plan_.parts.back().kind == Part::Kind::call && form().says_calls;
    if (reason == GenerationEnd::stop && calls) return FinishReason::tool_calls;
    if (!form().says_what_stopped || reason == GenerationEnd::length) return to_wire(reason);
    return reason == GenerationEnd::stop_string ? FinishReason::stop_sequence : FinishReason::eos_token;
  }

  /// Marks a choice as without logprobs, if the provider does so.
  template <class Choice>
  void say_no_logprobs(Choice& choice) const {
    const bool has_some = choice.logprobs || choice.extra.find("logprobs") != nullptr;
    if (form().null_logprobs && !has_some) choice.extra.append("logprobs", Json::raw("null"));
  }

  TokenLogprob logprob_of(const Sample& sample) const {
    auto entry = to_logprob(*plan_.model, sample);
    if (form().lmi_0_29_logprobs) use_code_points(entry);
    return entry;
  }

  Choices start() const final {
    return {plan_.model, plan_.prompt, plan_.options, plan_.choices, plan_.parts};
  }

  Part::Kind kind_of(const Choices::Turn& turn) const { return plan_.parts[turn.part].kind; }
  /// Whether the text of every choice is a plain string.
  bool answers_in_string() const {
    return count_of(Part::Kind::text, plan_.parts) > 0 && plan_.blocks == ReasoningBlocks::none;
  }
  /// The number of a turn's call among the calls of its choice.
  std::size_t number_of_call(const Choices::Turn& turn) const {
    return count_of(Part::Kind::call, std::span(plan_.parts).first(turn.part));
  }
  std::string id_of_call(const Choices::Turn& turn) const {
    return "call_" + frame().id_suffix + "_" + std::to_string(turn.index * plan_.parts.size() + turn.part);
  }
  const std::string& function_of(const Choices::Turn& turn) const { return plan_.parts[turn.part].name; }
  chat::ReasoningSummary summary(std::string_view thought) const {
    chat::ReasoningSummary summary{.text = std::string(thought)};
    if (plan_.blocks == ReasoningBlocks::with_signature) summary.signature = signature_of(thought);
    return summary;
  }
  const ChatPlan& plan() const noexcept { return plan_; }
  const ChatForm& form() const noexcept { return frame().dialect.chat; }

 private:
  static std::size_t count_of(Part::Kind kind, std::span<const Part> parts) {
    return static_cast<std::size_t>(std::ranges::count(parts, kind, &Part::kind));
  }

  ChatPlan plan_;
};

/// The streamed answer, which has a file of its own.
std::unique_ptr<Generation> streamed_chat(ChatPlan plan, CallFrame frame);

}  // namespace inferwire::inline v0_1::engine
