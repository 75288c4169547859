#include "engine/handlers/responses.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/answer.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "inferwire/response_events.hpp"
#include "protocol/sse_writer.hpp"
#include "wire/documents.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

/// The counts under both names: Databricks says the usage of all tasks is the same, OpenAI's clients read the
/// other names.
Usage in_both_spellings(Usage usage) {
  usage.input_tokens = usage.prompt_tokens;
  usage.output_tokens = usage.completion_tokens;
  usage.input_tokens_details = PromptTokensDetails{.cached_tokens = 0};
  usage.output_tokens_details = CompletionTokensDetails{.reasoning_tokens = 0};
  return usage;
}

/// What streamed and whole answers have in common: one message of one text, which grows token by token.
class ResponsesAnswer : public Generation {
 public:
  ResponsesAnswer(ResponsesPlan plan, CallFrame frame, std::string content_type)
      : plan_(std::move(plan)),
        frame_(std::move(frame)),
        head_(make_head(200, std::move(content_type), frame_.request_id)),
        pacer_(frame_) {
    plan_.response.id = "resp_" + frame_.number;
    plan_.response.created_at = static_cast<double>(frame_.created);
    plan_.response.status = responses::Status::in_progress;
    text_.logprobs.emplace();
    text_.extra.append("annotations", Json::raw("[]"));
  }

  const ResponseHead& head() const final { return head_; }
  bool streamed() const final { return plan_.streamed; }

 protected:
  /// What a token brought.
  struct Piece {
    std::string text{};
    std::vector<TokenLogprob> logprobs{};  ///< of this text
    bool last{};
  };

  bool finished() { return choices().finished(); }
  bool is_due(TimePoint now) const noexcept { return pacer_.is_due(now); }
  TimePoint due() const noexcept { return pacer_.due(); }

  Piece next() {
    pacer_.took_one();
    auto turn = choices().next();
    if (plan_.logprobs && turn.piece.token) held_.push_back(to_logprob(*plan_.model, *turn.piece.token));
    finish_ = turn.finish;
    Piece piece{.text = std::move(turn.piece.text), .last = turn.finish.has_value()};
    // Logprobs of text that is held back wait for it.
    if (!piece.text.empty() || piece.last) piece.logprobs = std::exchange(held_, {});
    text_.text += piece.text;
    text_.logprobs->insert(text_.logprobs->end(), piece.logprobs.begin(), piece.logprobs.end());
    return piece;
  }

  std::string item_id() const { return "msg_" + frame_.number; }
  /// The text as it stands.
  const responses::OutputText& text() const noexcept { return text_; }
  /// The message, with its text once it has ended.
  responses::Message message() const {
    std::vector<responses::ContentPart> parts;
    if (finish_) parts.emplace_back(text_);
    return {.id = item_id(),
            .type = "message",
            .role = Role::assistant,
            .content = std::move(parts),
            .status = !finish_                           ? "in_progress"
                      : *finish_ == FinishReason::length ? "incomplete"
                                                         : "completed"};
  }

  /// The response as it stands.
  responses::Response response() {
    auto response = plan_.response;
    if (!finish_) return response;
    response.output.emplace_back(message());
    response.usage = in_both_spellings(choices().usage());
    if (*finish_ == FinishReason::length) {
      response.status = responses::Status::incomplete;
      response.incomplete_details = responses::IncompleteDetails{.reason = "max_output_tokens"};
    } else {
      response.status = responses::Status::completed;
      response.completed_at = response.created_at;
    }
    return response;
  }

 private:
  /// The one choice; the prompt is read with the first call.
  Choices& choices() {
    if (!choices_) choices_.emplace(plan_.model, std::span(&plan_.prompt, 1), plan_.options, 1);
    return *choices_;
  }

  ResponsesPlan plan_;
  CallFrame frame_;
  ResponseHead head_;
  Pacer pacer_;
  std::optional<Choices> choices_;
  std::optional<FinishReason> finish_;
  responses::OutputText text_;
  std::vector<TokenLogprob> held_;
};

class WholeResponse final : public ResponsesAnswer {
 public:
  WholeResponse(ResponsesPlan plan, CallFrame frame)
      : ResponsesAnswer(std::move(plan), std::move(frame), "application/json") {}

  Step step(TimePoint now) override {
    if (sent_) return {};
    if (!finished()) {
      if (!is_due(now)) return {.kind = Step::Kind::wait, .until = due()};
      next();
      return {.kind = Step::Kind::bytes};
    }
    sent_ = true;
    const auto encoded = json::encode_to(body_, response());
    return encoded ? Step{.kind = Step::Kind::bytes, .bytes = body_} : Step{.kind = Step::Kind::broken};
  }

 private:
  std::string body_;
  bool sent_{};
};

class StreamedResponse final : public ResponsesAnswer {
 public:
  StreamedResponse(ResponsesPlan plan, CallFrame frame)
      : ResponsesAnswer(std::move(plan), std::move(frame), "text/event-stream") {}

  Step step(TimePoint now) override {
    if (ended_) return {};
    out_.clear();
    if (!std::exchange(begun_, true)) {
      begin();
    } else if (is_due(now)) {
      take(next());
    } else {
      return {.kind = Step::Kind::wait, .until = due()};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 private:
  /// Everything that comes before the model does any work.
  void begin() {
    write(responses::LifecycleEvent{.type = "response.created", .response = response()});
    write(responses::LifecycleEvent{.type = "response.in_progress", .response = response()});
    write(responses::OutputItemAdded{.output_index = 0, .item = message()});
    write(responses::ContentPartAdded{.item_id = item_id(), .output_index = 0, .part = text()});
  }

  void take(Piece piece) {
    if (!piece.text.empty()) {
      write(responses::TextDelta{.item_id = item_id(),
                                 .output_index = 0,
                                 .delta = std::move(piece.text),
                                 .logprobs = std::move(piece.logprobs)});
    }
    if (piece.last) end();
  }

  void end() {
    ended_ = true;
    write(responses::TextDone{
        .item_id = item_id(), .output_index = 0, .text = text().text, .logprobs = text().logprobs});
    write(responses::ContentPartDone{.item_id = item_id(), .output_index = 0, .part = text()});
    write(responses::OutputItemDone{.output_index = 0, .item = message()});
    auto whole = response();
    auto type = "response." + whole.status->str();
    write(responses::LifecycleEvent{.type = std::move(type), .response = std::move(whole)});
  }

  template <class Kind>
  void write(Kind event) {
    event.sequence_number = sequence_number_++;
    const std::string name(event.type);
    failed_ |= !json::encode_to(encoded_, responses::Event(std::move(event)));
    protocol::append_event(out_, encoded_, name);
  }

  std::string encoded_;
  std::string out_;
  std::int64_t sequence_number_{};
  bool begun_{};
  bool ended_{};
  bool failed_{};
};

}  // namespace

std::unique_ptr<Generation> answer_response(ResponsesPlan plan, CallFrame frame) {
  if (plan.streamed) return std::make_unique<StreamedResponse>(std::move(plan), std::move(frame));
  return std::make_unique<WholeResponse>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
