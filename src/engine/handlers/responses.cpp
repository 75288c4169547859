#include "engine/handlers/responses.hpp"

#include "engine/answer/answer.hpp"
#include "engine/handlers/choices.hpp"
#include "engine/handlers/kept_responses.hpp"
#include "engine/handlers/response_item.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "engine/plan/response_input.hpp"
#include "inferwire/response_events.hpp"
#include "protocol/framing/sse_writer.hpp"
#include "wire/documents.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// The counts under both names: Databricks documents one usage form for all tasks, OpenAI's clients read the
/// other names.
Usage in_both_spellings(Usage usage) {
  usage.input_tokens = usage.prompt_tokens;
  usage.output_tokens = usage.completion_tokens;
  usage.input_tokens_details = PromptTokensDetails{.cached_tokens = 0};
  usage.output_tokens_details =
      CompletionTokensDetails{.reasoning_tokens = usage.reasoning_tokens.value_or(0)};
  return usage;
}

/// The common part of streamed and whole answers: items that grow token by token, one after another.
class ResponsesAnswer : public ResponseWork {
 public:
  ResponsesAnswer(ResponsesPlan plan, CallFrame frame, std::string content_type)
      : plan_(std::move(plan)),
        frame_(std::move(frame)),
        head_(make_head(200, std::move(content_type), frame_.request_id)),
        pacer_(frame_) {
    plan_.response.id = "resp_" + frame_.id_suffix;
    plan_.response.created_at = static_cast<double>(frame_.created);
    plan_.response.status =
        plan_.background ? responses::ResponseStatus::queued : responses::ResponseStatus::in_progress;
    add_item();
  }

  const ResponseHead& head() const final { return head_; }
  bool streamed() const final { return plan_.streamed; }
  responses::Response response() const final {
    auto response = plan_.response;
    if (!finish_) return response;
    for (const auto& draft : items_) response.output.push_back(item_of(draft));
    response.usage = in_both_spellings(choices_->usage());
    if (*finish_ == GenerationEnd::length) {
      response.status = responses::ResponseStatus::incomplete;
      response.incomplete_details = responses::IncompleteDetails{.reason = "max_output_tokens"};
    } else {
      response.status = responses::ResponseStatus::completed;
      response.completed_at = static_cast<double>(frame_.created + seconds_);
    }
    return response;
  }

 protected:
  /// The result of one token.
  struct Piece {
    std::size_t item{};
    bool begins{};  ///< the item
    std::string text{};
    std::vector<TokenLogprob> logprobs{};  ///< those of this text
    bool ends{};                           ///< the item
    bool last{};
  };

  bool in_background() const noexcept { return plan_.background; }
  void begin_work() { plan_.response.status = responses::ResponseStatus::in_progress; }
  bool finished() const noexcept { return finish_.has_value(); }
  bool is_due(TimePoint now) const noexcept { return pacer_.is_due(now); }
  TimePoint due() const noexcept { return pacer_.due(); }

  Piece next(TimePoint now) {
    // A background response is in the state in which a thread would have left it.
    const auto time = plan_.background ? pacer_.due() : now;
    pacer_.took_one();
    auto turn = choices().next();
    const bool begins = turn.part == items_.size();
    if (begins) add_item();
    auto& item = items_[turn.part];
    const bool logs = plan_.logprobs && item.kind == Part::Kind::text;
    if (logs && turn.piece.token) held_.push_back(to_logprob(*plan_.model, *turn.piece.token));
    finish_ = turn.finish;
    seconds_ = std::chrono::duration_cast<std::chrono::seconds>(time - frame_.start).count();
    Piece piece{.item = turn.part,
                .begins = begins,
                .text = std::move(turn.piece.text),
                .ends = turn.ends_part,
                .last = turn.finish.has_value()};
    // Logprobs of text that is held back wait for that text.
    if (!piece.text.empty() || piece.ends) piece.logprobs = std::exchange(held_, {});
    item.text += piece.text;
    item.logprobs.insert(item.logprobs.end(), piece.logprobs.begin(), piece.logprobs.end());
    if (piece.ends) {
      item.status =
          turn.finish == GenerationEnd::length ? ItemDraft::Status::incomplete : ItemDraft::Status::completed;
    }
    return piece;
  }

  const ItemDraft& item(std::size_t index) const { return items_[index]; }

  /// Returns the complete response and keeps it from now on, if requested.
  responses::Response conclude() {
    auto whole = response();
    if (!plan_.keeper) return whole;
    give_ids(plan_.kept.input, frame_.id_suffix);
    plan_.kept.response = whole;
    plan_.keeper->add(std::make_shared<const KeptResponse>(std::move(plan_.kept)));
    return whole;
  }

 private:
  void add_item() {
    const auto index = items_.size();
    const auto& part = plan_.parts[index];
    const auto suffix = frame_.id_suffix + "_" + std::to_string(index);
    const auto* const prefix = part.kind == Part::Kind::reasoning ? "rs_"
                               : part.kind == Part::Kind::call    ? "fc_"
                                                                  : "msg_";
    items_.push_back({.kind = part.kind,
                      .id = prefix + suffix,
                      .call_id = "call_" + suffix,
                      .function = part.name,
                      .shows_summary = plan_.reasoning_summary,
                      .encrypts = plan_.encrypted_reasoning});
  }

  /// The one choice; the prompt is read with the first call.
  Choices& choices() {
    if (!choices_) choices_.emplace(plan_.model, plan_.prompt, plan_.options, 1, plan_.parts);
    return *choices_;
  }

  ResponsesPlan plan_;
  CallFrame frame_;
  ResponseHead head_;
  TokenPacer pacer_;
  std::optional<Choices> choices_;
  std::optional<GenerationEnd> finish_;
  std::int64_t seconds_{};  // from the start to the last token
  std::vector<ItemDraft> items_;
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
      next(now);
      return {.kind = Step::Kind::bytes};
    }
    sent_ = true;
    const auto encoded = json::encode_to(body_, conclude());
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
      take(next(now));
    } else {
      return {.kind = Step::Kind::wait, .until = due()};
    }
    return failed_ ? Step{.kind = Step::Kind::broken} : Step{.kind = Step::Kind::bytes, .bytes = out_};
  }

 private:
  /// Everything that comes before the model does any work.
  void begin() {
    write(responses::LifecycleEvent{.type = "response.created", .response = response()});
    if (in_background()) write(responses::LifecycleEvent{.type = "response.queued", .response = response()});
    begin_work();
    write(responses::LifecycleEvent{.type = "response.in_progress", .response = response()});
    begin_item(0);
  }

  void take(Piece piece) {
    if (piece.begins) begin_item(piece.item);
    if (!piece.text.empty()) add_to_item(piece);
    if (piece.ends) end_item(piece.item);
    if (piece.last) end();
  }

  void begin_item(std::size_t index) {
    const auto draft = begun(item(index));
    write(responses::OutputItemAdded{.output_index = at(index), .item = item_of(draft)});
    if (draft.kind == Part::Kind::text) {
      write(responses::ContentPartAdded{
          .item_id = draft.id, .output_index = at(index), .part = text_part_of(draft)});
    } else if (shows_thought(draft)) {
      write(responses::ReasoningSummaryPartAdded{.item_id = draft.id, .output_index = at(index)});
    }
  }

  void add_to_item(Piece& piece) {
    const auto& draft = item(piece.item);
    if (draft.kind == Part::Kind::text) {
      write(responses::TextDelta{.item_id = draft.id,
                                 .output_index = at(piece.item),
                                 .delta = std::move(piece.text),
                                 .logprobs = std::move(piece.logprobs)});
    } else if (draft.kind == Part::Kind::call) {
      write(responses::FunctionCallArgumentsDelta{
          .item_id = draft.id, .output_index = at(piece.item), .delta = std::move(piece.text)});
    } else if (shows_thought(draft)) {
      write(responses::ReasoningSummaryTextDelta{
          .item_id = draft.id, .output_index = at(piece.item), .delta = std::move(piece.text)});
    }
  }

  void end_item(std::size_t index) {
    const auto& draft = item(index);
    const auto place = at(index);
    if (draft.kind == Part::Kind::text) {
      write(responses::TextDone{
          .item_id = draft.id, .output_index = place, .text = draft.text, .logprobs = draft.logprobs});
      write(responses::ContentPartDone{
          .item_id = draft.id, .output_index = place, .part = text_part_of(draft)});
    } else if (draft.kind == Part::Kind::call) {
      write(responses::FunctionCallArgumentsDone{
          .item_id = draft.id, .output_index = place, .name = draft.function, .arguments = draft.text});
    } else if (shows_thought(draft)) {
      write(responses::ReasoningSummaryTextDone{
          .item_id = draft.id, .output_index = place, .text = draft.text});
      write(responses::ReasoningSummaryPartDone{
          .item_id = draft.id, .output_index = place, .part = {.text = draft.text}});
    }
    write(responses::OutputItemDone{.output_index = place, .item = item_of(draft)});
  }

  void end() {
    ended_ = true;
    auto whole = conclude();
    auto type = "response." + whole.status->str();
    write(responses::LifecycleEvent{.type = std::move(type), .response = std::move(whole)});
  }

  /// The draft in its state before the first token.
  static ItemDraft begun(ItemDraft draft) {
    draft.text.clear();
    draft.logprobs.clear();
    draft.status = ItemDraft::Status::in_progress;
    return draft;
  }
  static std::int64_t at(std::size_t index) { return static_cast<std::int64_t>(index); }
  static bool shows_thought(const ItemDraft& draft) {
    return draft.kind == Part::Kind::reasoning && draft.shows_summary;
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

/// Keeps the response before any of it is generated.
std::unique_ptr<Generation> begin_in_background(ResponsesPlan plan, const CallFrame& frame) {
  const auto keeper = std::exchange(plan.keeper, nullptr);
  auto kept = std::exchange(plan.kept, {});
  give_ids(kept.input, frame.id_suffix);
  const bool streamed = plan.streamed;
  auto work = std::make_unique<StreamedResponse>(std::move(plan), frame);
  kept.response = work->response();
  kept.background = std::make_shared<BackgroundResponse>(std::move(work), streamed);
  const auto shared = std::make_shared<const KeptResponse>(std::move(kept));
  keeper->add(shared);
  if (streamed) return stream_events(shared->background, 0, frame.request_id);
  auto body = json::encode(shared->response);
  if (!body)
    return refusal_answer(frame.dialect, refuse::failed("its answer cannot be written"), frame.request_id);
  return whole_answer(make_head(200, "application/json", frame.request_id), *std::move(body));
}

}  // namespace

std::unique_ptr<Generation> answer_response(ResponsesPlan plan, CallFrame frame) {
  if (plan.background) return begin_in_background(std::move(plan), frame);
  if (plan.streamed) return std::make_unique<StreamedResponse>(std::move(plan), std::move(frame));
  return std::make_unique<WholeResponse>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
