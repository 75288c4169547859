#include "engine/handlers/chat.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/handlers/chat_signature.hpp"
#include "engine/handlers/text_answer.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// What streamed and whole answers of this room have in common.
class ChatAnswer : public TextAnswer {
 public:
  ChatAnswer(ChatPlan plan, CallFrame frame)
      : TextAnswer(frame, plan.streamed), plan_(std::move(plan)), frame_(std::move(frame)) {}

 protected:
  template <class Document>
  void sign(Document& document, std::string_view object, bool says_model) const {
    sign_chat(document, frame_, plan_, object, says_model);
  }

  /// The wire's word for why a choice ended.
  inferwire::FinishReason word(FinishReason reason) const {
    using Words = inferwire::FinishReason;
    if (!form().says_what_stopped || reason == FinishReason::length) return to_wire(reason);
    return reason == FinishReason::stop_string ? Words::stop_sequence : Words::eos_token;
  }

  template <class Choice>
  void say_no_logprobs(Choice& choice) const {
    if (form().null_logprobs && !plan_.logprobs) choice.extra.append("logprobs", Json::raw("null"));
  }

  Choices start() const final {
    return {plan_.model, std::span(&plan_.prompt, 1), plan_.options, plan_.choices};
  }
  const ChatPlan& plan() const noexcept { return plan_; }
  const ChatForm& form() const noexcept { return frame_.dialect.chat; }

 private:
  ChatPlan plan_;
  CallFrame frame_;
};

class WholeChat final : public ChatAnswer {
 public:
  WholeChat(ChatPlan plan, CallFrame frame) : ChatAnswer(std::move(plan), std::move(frame)) {
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
  bool begin() override {
    // A choice that may have no token at all never has a turn.
    for (std::size_t i = 0; i < response_.choices.size(); ++i) {
      if (const auto reason = choices().finish_reason(i)) response_.choices[i].finish_reason = word(*reason);
    }
    return true;
  }

  void take(Choices::Turn turn) override {
    auto& choice = response_.choices[turn.index];
    std::get<std::string>(*choice.message.content) += turn.piece.text;
    if (choice.logprobs && turn.piece.token) {
      choice.logprobs->content.push_back(to_logprob(*plan().model, *turn.piece.token));
    }
    if (turn.finish) choice.finish_reason = word(*turn.finish);
  }

  void end() override {
    response_.usage = choices().usage();
    put(response_);
  }

  chat::Response response_;
};

class StreamedChat final : public ChatAnswer {
 public:
  StreamedChat(ChatPlan plan, CallFrame frame)
      : ChatAnswer(std::move(plan), std::move(frame)),
        logprobs_(static_cast<std::size_t>(this->plan().choices)),
        begun_(logprobs_.size()) {
    sign(chunk_, form().chunk_object, form().chunks_say_model);
  }

 private:
  /// The role of every choice where it comes alone, before the model does any work.
  bool begin() override {
    for (std::size_t i = 0; i < logprobs_.size(); ++i) {
      if (form().first_delta != FirstDelta::role_and_text) {
        begin(only_choice(i));
        if (form().first_delta == FirstDelta::role_and_no_text) chunk_.choices[0].delta.content = "";
        write(plan().usage.every);
      }
      // A choice that may have no token at all never has a turn.
      if (const auto reason = choices().finish_reason(i)) finish(i, *reason);
    }
    return true;
  }

  void begin(chat::ChunkChoice& choice) {
    const auto index = static_cast<std::size_t>(choice.index);
    if (!begun_[index]) choice.delta.role = chat::Role::assistant;
    begun_[index] = true;
  }

  void take(Choices::Turn turn) override {
    auto& logprobs = logprobs_[turn.index];
    if (plan().logprobs && turn.piece.token) logprobs.push_back(to_logprob(*plan().model, *turn.piece.token));
    const bool finishes = turn.finish && form().finish_beside_text;
    // Logprobs of text that is held back wait for it.
    if (!turn.piece.text.empty() || (turn.finish && !logprobs.empty()) || finishes) {
      auto& choice = only_choice(turn.index);
      begin(choice);
      choice.delta.content = std::move(turn.piece.text);
      if (!logprobs.empty()) put_logprobs(choice, std::exchange(logprobs, {}));
      if (finishes) choice.finish_reason = word(*turn.finish);
      write(plan().usage.every);
    }
    if (turn.finish && !finishes) finish(turn.index, *turn.finish);
  }

  void finish(std::size_t index, FinishReason reason) {
    auto& choice = only_choice(index);
    choice.finish_reason = word(reason);
    write(plan().usage.every || (plan().usage.finish && choices().finished()));
  }

  void end() override {
    if (plan().usage.last) {
      chunk_.choices.clear();
      write(true);
    }
    put_done();
  }

  void put_logprobs(chat::ChunkChoice& choice, std::vector<chat::TokenLogprob> entries) const {
    if (form().lmi_0_29_logprobs) {
      choice.extra.append("logprobs", as_lmi_0_29(entries));
    } else {
      choice.logprobs = chat::Logprobs{.content = std::move(entries)};
    }
  }

  chat::ChunkChoice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    auto& choice = chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
    say_no_logprobs(choice);
    return choice;
  }

  void write(bool with_usage) {
    chunk_.usage.reset();
    if (with_usage) chunk_.usage = choices().usage();
    put_chunk(chunk_, plan().usage.last && !with_usage);
  }

  chat::Chunk chunk_;  // one for all, so that its memory is used again
  std::vector<std::vector<chat::TokenLogprob>> logprobs_;
  std::vector<bool> begun_;  // whose role has been said
};

}  // namespace

std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedChat>(std::move(plan), std::move(frame));
  return std::make_unique<WholeChat>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
