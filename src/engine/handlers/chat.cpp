#include "engine/handlers/chat.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/answer.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "protocol/sse_writer.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// What streamed and whole answers have in common: the turns of the choices, in their time.
class ChatAnswer : public Generation {
 public:
  ChatAnswer(ChatPlan plan, CallFrame frame, std::string content_type)
      : plan_(std::move(plan)),
        frame_(std::move(frame)),
        head_(make_head(200, std::move(content_type), frame_.request_id)),
        pacer_(frame_) {}

  const ResponseHead& head() const final { return head_; }
  bool streamed() const final { return plan_.streamed; }

 protected:
  /// Fills in what chunks and responses say about themselves.
  template <class Document>
  void sign(Document& document) const {
    document.id = "chatcmpl-" + frame_.number;
    document.created = frame_.created;
    document.model = plan_.served_model;
    document.system_fingerprint = std::string(plan_.model->id());
  }

  /// The choices; the prompt is read with the first call.
  Choices& choices() {
    if (!choices_) choices_.emplace(plan_.model, std::span(&plan_.prompt, 1), plan_.options, plan_.choices);
    return *choices_;
  }
  const ChatPlan& plan() const noexcept { return plan_; }
  Pacer& pacer() noexcept { return pacer_; }

 private:
  ChatPlan plan_;
  CallFrame frame_;
  ResponseHead head_;
  Pacer pacer_;
  std::optional<Choices> choices_;
};

class WholeChat final : public ChatAnswer {
 public:
  WholeChat(ChatPlan plan, CallFrame frame)
      : ChatAnswer(std::move(plan), std::move(frame), "application/json") {
    response_.object = "chat.completion";
    sign(response_);
    for (int i = 0; i < this->plan().choices; ++i) {
      response_.choices.push_back({.index = i, .message = chat::assistant("")});
      if (this->plan().logprobs) response_.choices.back().logprobs.emplace();
    }
  }

  Step step(TimePoint now) override {
    if (sent_) return {};
    if (choices().finished()) return send();
    if (!pacer().is_due(now)) return {.kind = Step::Kind::wait, .until = pacer().due()};
    pacer().took_one();
    add(choices().next());
    return {.kind = Step::Kind::bytes};
  }

 private:
  void add(Choices::Turn turn) {
    auto& choice = response_.choices[turn.index];
    std::get<std::string>(*choice.message.content) += turn.piece.text;
    if (choice.logprobs && turn.piece.token) {
      choice.logprobs->content.push_back(to_logprob(*plan().model, *turn.piece.token));
    }
    if (turn.finish) choice.finish_reason = to_wire(*turn.finish);
  }

  Step send() {
    response_.usage = choices().usage();
    sent_ = true;
    const auto encoded = json::encode_to(body_, response_);
    return encoded ? Step{.kind = Step::Kind::bytes, .bytes = body_} : Step{.kind = Step::Kind::broken};
  }

  chat::Response response_;
  std::string body_;
  bool sent_{};
};

class StreamedChat final : public ChatAnswer {
 public:
  StreamedChat(ChatPlan plan, CallFrame frame)
      : ChatAnswer(std::move(plan), std::move(frame), "text/event-stream"),
        logprobs_(static_cast<std::size_t>(this->plan().choices)) {
    chunk_.object = "chat.completion.chunk";
    sign(chunk_);
  }

  Step step(TimePoint now) override {
    if (ended_) return {};
    out_.clear();
    if (!introduced_) {
      introduce();
    } else if (choices().finished()) {
      end();
    } else if (pacer().is_due(now)) {
      pacer().took_one();
      take(choices().next());
    } else {
      return {.kind = Step::Kind::wait, .until = pacer().due()};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 private:
  /// The role of every choice, before the model does any work.
  void introduce() {
    introduced_ = true;
    for (int i = 0; i < plan().choices; ++i) {
      chunk_.choices = {{.index = i, .delta = {.role = chat::Role::assistant, .content = ""}}};
      write(plan().usage.every);
    }
  }

  void take(Choices::Turn turn) {
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

  void end() {
    ended_ = true;
    if (plan().usage.last) {
      chunk_.choices.clear();
      write(true);
    }
    out_ += protocol::done_event;
  }

  chat::ChunkChoice& only_choice(std::size_t index) {
    chunk_.choices.resize(1);
    chunk_.choices[0] = {.index = static_cast<std::int64_t>(index)};
    return chunk_.choices[0];
  }

  void write(bool with_usage) {
    chunk_.usage.reset();
    if (with_usage) chunk_.usage = choices().usage();
    failed_ |= !append_chunk(out_, encoded_, chunk_, plan().usage.last && !with_usage);
  }

  chat::Chunk chunk_;  // one for all, so that its memory is used again
  std::vector<std::vector<chat::TokenLogprob>> logprobs_;
  std::string encoded_;
  std::string out_;
  bool introduced_{};
  bool ended_{};
  bool failed_{};
};

}  // namespace

std::unique_ptr<Generation> answer_chat(ChatPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedChat>(std::move(plan), std::move(frame));
  return std::make_unique<WholeChat>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
