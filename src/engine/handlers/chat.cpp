#include "engine/handlers/chat.hpp"

#include "engine/handlers/chat_answer.hpp"
#include "wire/documents.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// A chat that is answered in one piece.
class WholeChat final : public ChatAnswer {
 public:
  WholeChat(ChatPlan plan, CallFrame frame)
      : ChatAnswer(std::move(plan), std::move(frame)),
        thoughts_(static_cast<std::size_t>(this->plan().choices)) {
    sign(response_, form().object, form().says_model);
    for (int i = 0; i < this->plan().choices; ++i) {
      auto& choice = response_.choices.emplace_back();
      choice.index = i;
      choice.message = chat::assistant("");
      if (this->plan().logprobs) choice.logprobs.emplace();
      say_no_logprobs(choice);
      choice.extra_fields = this->plan().extra_fields;
    }
  }

 private:
  void take(Choices::Turn turn, TimePoint) override {
    auto& choice = response_.choices[turn.index];
    switch (kind_of(turn)) {
      case Part::Kind::reasoning: thoughts_[turn.index] += turn.text; break;
      case Part::Kind::call: take_call(choice.message, turn); break;
      case Part::Kind::text: take_text(choice, turn); break;
      case Part::Kind::content:
        if (turn.ends_part) choice.message.content = plan().content;
        break;
    }
    if (!turn.finish) return;
    choice.finish_reason = word(*turn.finish);
    finish(choice.message, thoughts_[turn.index]);
  }

  void take_text(chat::Choice& choice, Choices::Turn& turn) {
    std::get<std::string>(*choice.message.content) += turn.text;
    if (!choice.logprobs) return;
    for (const auto& token : turn.tokens) choice.logprobs->content.push_back(logprob_of(token));
  }

  void take_call(chat::Message& message, Choices::Turn& turn) {
    if (message.tool_calls.size() == number_of_call(turn)) {
      message.tool_calls.push_back(
          {.id = id_of_call(turn), .function = chat::FunctionCall{.name = function_of(turn)}});
    }
    message.tool_calls.back().function->arguments += turn.text;
  }

  /// Puts the content into its final form.
  void finish(chat::Message& message, std::string_view thought) const {
    const auto text = message.text();
    if (plan().blocks != ReasoningBlocks::none && !thought.empty()) {
      std::vector<chat::ContentPart> parts{chat::ReasoningPart{.summary = {summary(thought)}}};
      if (!text.empty()) parts.emplace_back(chat::TextPart{.text = text});
      message.content = std::move(parts);
    } else if (!message.tool_calls.empty() && message.content == chat::Content()) {
      message.content.reset();
      message.extra.append("content", Json::raw("null"));
    }
  }

  void end() override {
    response_.usage = choices().usage();
    put(response_);
  }

  chat::Response response_;
  std::vector<std::string> thoughts_;
};

}  // namespace

std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame) {
  if (plan.streamed) return streamed_chat(std::move(plan), std::move(frame));
  return std::make_unique<WholeChat>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
