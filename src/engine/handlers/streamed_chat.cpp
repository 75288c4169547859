// A chat that is answered piece by piece.
#include "engine/handlers/chat_answer.hpp"
#include "wire/documents.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

class StreamedChat final : public ChatAnswer {
 public:
  StreamedChat(ChatPlan plan, CallFrame frame)
      : ChatAnswer(std::move(plan), std::move(frame)),
        begun_(static_cast<std::size_t>(this->plan().choices)),
        calls_(begun_.size()),
        thoughts_(begun_.size()) {
    sign(chunk_, form().chunk_object, form().chunks_say_model);
  }

 private:
  /// Sends the role of every choice if it comes separately, before the model does any work.
  bool begin() override {
    for (std::size_t i = 0; i < begun_.size(); ++i) {
      if (form().first_delta != FirstDelta::role_and_text) {
        begin(only_choice(i));
        const bool no_text = form().first_delta == FirstDelta::role_and_no_text && answers_in_string();
        if (no_text) chunk_.choices[0].delta.content = "";
        write();
      }
    }
    return true;
  }

  void begin(chat::ChunkChoice& choice) {
    const auto index = static_cast<std::size_t>(choice.index);
    if (!begun_[index]) choice.delta.role = chat::Role::assistant;
    begun_[index] = true;
  }

  void take(Choices::Turn turn, TimePoint) override {
    switch (kind_of(turn)) {
      case Part::Kind::text: return take_text(turn);
      case Part::Kind::content: take_content(turn); break;
      case Part::Kind::call: take_call(turn); break;
      case Part::Kind::reasoning:
        if (plan().blocks != ReasoningBlocks::none) take_thought(turn);
        break;
    }
    if (turn.finish) finish(turn.index, *turn.finish);
  }

  void take_text(Choices::Turn& turn) {
    std::vector<chat::TokenLogprob> logprobs;
    if (plan().logprobs) {
      for (const auto& token : turn.tokens) logprobs.push_back(logprob_of(token));
    }
    const bool finishes = turn.finish && form().finish_beside_text;
    if (!turn.text.empty() || !logprobs.empty() || finishes) {
      auto& choice = next_of(turn);
      if (answers_in_string()) {
        choice.delta.content = std::move(turn.text);
      } else {
        choice.delta.content = {chat::TextPart{.text = std::move(turn.text)}};
      }
      if (!logprobs.empty()) put_logprobs(choice, std::move(logprobs));
      if (finishes) choice.finish_reason = word(*turn.finish);
      write();
    }
    if (turn.finish && !finishes) finish(turn.index, *turn.finish);
  }

  void take_content(const Choices::Turn& turn) {
    if (!turn.ends_part) return;
    next_of(turn).delta.content = plan().content;
    write();
  }

  /// Sends the function's name first, once; then the arguments, piece by piece.
  void take_call(Choices::Turn& turn) {
    const auto number = static_cast<std::int64_t>(number_of_call(turn));
    if (calls_[turn.index] == number_of_call(turn)) {
      ++calls_[turn.index];
      next_of(turn).delta.tool_calls = {
          {.index = number,
           .id = id_of_call(turn),
           .type = "function",
           .function = chat::FunctionCallDelta{.name = function_of(turn), .arguments = ""}}};
      write();
    }
    if (turn.text.empty()) return;
    next_of(turn).delta.tool_calls = {
        {.index = number, .function = chat::FunctionCallDelta{.arguments = std::move(turn.text)}}};
    write();
  }

  /// Sends a thought piece by piece, then its signature.
  void take_thought(Choices::Turn& turn) {
    auto& thought = thoughts_[turn.index];
    const auto write_block = [&](chat::ReasoningSummary summary) {
      next_of(turn).delta.content = {chat::ReasoningPart{.summary = {std::move(summary)}}};
      write();
    };
    thought += turn.text;
    if (!turn.text.empty()) write_block({.text = std::move(turn.text)});
    if (turn.ends_part && !thought.empty() && plan().blocks == ReasoningBlocks::with_signature) {
      write_block({.text = "", .signature = signature_of(thought)});
    }
  }

  void finish(std::size_t index, GenerationEnd reason) {
    auto& choice = only_choice(index);
    if (form().finish_beside_text) {  // the last line has text, even if empty
      begin(choice);
      choice.delta.content = "";
    }
    choice.finish_reason = word(reason);
    write();
  }

  void end() override { put_end(chunk_); }

  void put_logprobs(chat::ChunkChoice& choice, std::vector<chat::TokenLogprob> entries) const {
    if (form().lmi_0_29_logprobs) {
      choice.extra.append("logprobs", in_lmi_0_29_chunk(entries));
    } else {
      choice.logprobs = chat::Logprobs{.content = std::move(entries)};
    }
  }

  chat::ChunkChoice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    return chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
  }

  /// The chunk's choice for a turn, with the role if it has not been sent.
  chat::ChunkChoice& next_of(const Choices::Turn& turn) {
    auto& choice = only_choice(turn.index);
    begin(choice);
    return choice;
  }

  void write() {
    say_no_logprobs(chunk_.choices[0]);
    put_chunk(chunk_);
  }

  chat::Chunk chunk_;               // shared by all chunks, so that its memory is reused
  std::vector<bool> begun_;         // whether the role has been sent, by choice
  std::vector<std::size_t> calls_;  // number of calls begun, by choice
  std::vector<std::string> thoughts_;
};

}  // namespace

std::unique_ptr<Generation> streamed_chat(ChatPlan plan, CallFrame frame) {
  return std::make_unique<StreamedChat>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
