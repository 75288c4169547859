#include "engine/handlers/chat.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  /// Fills in what chunks and responses say about themselves.
  template <class Document>
  void sign(Document& document) const {
    document.id = "chatcmpl-" + frame_.number;
    document.created = frame_.created;
    document.model = plan_.served_model;
    document.system_fingerprint = std::string(plan_.model->id());
  }

  Choices start() const final {
    return {plan_.model, std::span(&plan_.prompt, 1), plan_.options, plan_.choices};
  }
  const ChatPlan& plan() const noexcept { return plan_; }

 private:
  ChatPlan plan_;
  CallFrame frame_;
};

class WholeChat final : public ChatAnswer {
 public:
  WholeChat(ChatPlan plan, CallFrame frame) : ChatAnswer(std::move(plan), std::move(frame)) {
    response_.object = "chat.completion";
    sign(response_);
    for (int i = 0; i < this->plan().choices; ++i) {
      response_.choices.push_back({.index = i, .message = chat::assistant("")});
      if (this->plan().logprobs) response_.choices.back().logprobs.emplace();
    }
  }

 private:
  void take(Choices::Turn turn) override {
    auto& choice = response_.choices[turn.index];
    std::get<std::string>(*choice.message.content) += turn.piece.text;
    if (choice.logprobs && turn.piece.token) {
      choice.logprobs->content.push_back(to_logprob(*plan().model, *turn.piece.token));
    }
    if (turn.finish) choice.finish_reason = to_wire(*turn.finish);
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
        logprobs_(static_cast<std::size_t>(this->plan().choices)) {
    chunk_.object = "chat.completion.chunk";
    sign(chunk_);
  }

 private:
  /// The role of every choice, before the model does any work.
  bool begin() override {
    for (int i = 0; i < plan().choices; ++i) {
      chunk_.choices = {{.index = i, .delta = {.role = chat::Role::assistant, .content = ""}}};
      write(plan().usage.every);
    }
    return true;
  }

  void take(Choices::Turn turn) override {
    auto& logprobs = logprobs_[turn.index];
    if (plan().logprobs && turn.piece.token) logprobs.push_back(to_logprob(*plan().model, *turn.piece.token));
    // Logprobs of text that is held back wait for it.
    if (!turn.piece.text.empty() || (turn.finish && !logprobs.empty())) {
      auto& choice = only_choice(turn.index);
      choice.delta.content = std::move(turn.piece.text);
      if (!logprobs.empty()) choice.logprobs = chat::Logprobs{.content = std::exchange(logprobs, {})};
      write(plan().usage.every);
    }
    if (turn.finish) {
      only_choice(turn.index).finish_reason = to_wire(*turn.finish);
      write(plan().usage.every || (plan().usage.finish && choices().finished()));
    }
  }

  void end() override {
    if (plan().usage.last) {
      chunk_.choices.clear();
      write(true);
    }
    put_done();
  }

  chat::ChunkChoice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
    return chunk_.choices[0];
  }

  void write(bool with_usage) {
    chunk_.usage.reset();
    if (with_usage) chunk_.usage = choices().usage();
    put_chunk(chunk_, plan().usage.last && !with_usage);
  }

  chat::Chunk chunk_;  // one for all, so that its memory is used again
  std::vector<std::vector<chat::TokenLogprob>> logprobs_;
};

}  // namespace

std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedChat>(std::move(plan), std::move(frame));
  return std::make_unique<WholeChat>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
