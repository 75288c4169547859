#include "engine/handlers/responses.hpp"

#include "engine/answer/answer.hpp"
#include "engine/handlers/kept_responses.hpp"
#include "engine/handlers/response_item.hpp"
#include "engine/handlers/text_answer.hpp"
#include "engine/handlers/token_logprob.hpp"
#include "engine/plan/response_input.hpp"
#include "inferwire/response_events.hpp"
#include "wire/documents.hpp"

#include <chrono>
#include <cstdint>
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
class ResponsesAnswer : public TextAnswer, public ResponseWork {
 public:
  ResponsesAnswer(ResponsesPlan plan, CallFrame frame)
      : TextAnswer(std::move(frame), plan.streamed), plan_(std::move(plan)) {
    plan_.response.id = "resp_" + this->frame().id_suffix;
    plan_.response.created_at = static_cast<double>(this->frame().created);
    plan_.response.status =
        plan_.background ? responses::ResponseStatus::queued : responses::ResponseStatus::in_progress;
    add_item();
  }

  Step work(TimePoint now) final { return step(now); }
  responses::Response response() const final { return plan_.response; }

 protected:
  Choices start() const final { return {plan_.model, plan_.prompt, plan_.options, 1, plan_.parts}; }
  /// A response that is whole is kept at once, and can no longer be cancelled.
  bool ends_with_last_turn() const noexcept final { return true; }

  bool in_background() const noexcept { return plan_.background; }
  json::Spelling spelling() const noexcept { return plan_.spelling; }
  void begin_work() { plan_.response.status = responses::ResponseStatus::in_progress; }

  bool begins_item(const Choices::Turn& turn) const noexcept { return turn.part == items_.size(); }
  /// Adds the text of a turn to its item; returns the logprobs of that text.
  std::vector<TokenLogprob> grow(const Choices::Turn& turn, TimePoint now) {
    if (begins_item(turn)) add_item();
    auto& item = items_[turn.part];
    std::vector<TokenLogprob> logprobs;
    if (plan_.logprobs && item.kind == Part::Kind::text) {
      for (const auto& token : turn.tokens) logprobs.push_back(to_logprob(*plan_.model, token));
    }
    item.text += turn.text;
    item.logprobs.insert(item.logprobs.end(), logprobs.begin(), logprobs.end());
    if (turn.ends_part) {
      item.status =
          turn.finish == GenerationEnd::length ? ItemDraft::Status::incomplete : ItemDraft::Status::completed;
    }
    if (turn.finish) finish(*turn.finish, now);
    return logprobs;
  }

  const ItemDraft& item(std::size_t index) const { return items_[index]; }

  /// Returns the complete response and keeps it from now on, if requested and if there is room for it.
  const responses::Response& conclude() {
    if (plan_.keeper) {
      for (const auto& item : plan_.response.output) plan_.kept.bytes += memory_of(item);
      plan_.response.store = plan_.keeper->keeps(plan_.kept.bytes);
      give_ids(plan_.kept.input, frame().id_suffix);
      plan_.kept.response = plan_.response;
      plan_.keeper->add(std::make_shared<const KeptResponse>(std::move(plan_.kept)));
    }
    return plan_.response;
  }

 private:
  void add_item() {
    const auto index = items_.size();
    const auto& part = plan_.parts[index];
    const auto suffix = frame().id_suffix + "_" + std::to_string(index);
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

  void finish(GenerationEnd reason, TimePoint now) {
    auto& response = plan_.response;
    for (const auto& draft : items_) response.output.push_back(item_of(draft));
    response.usage = in_both_spellings(choices().usage());
    if (reason == GenerationEnd::length) {
      response.status = responses::ResponseStatus::incomplete;
      response.incomplete_details = responses::IncompleteDetails{.reason = "max_output_tokens"};
    } else {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - frame().start).count();
      response.status = responses::ResponseStatus::completed;
      response.completed_at = static_cast<double>(frame().created + seconds);
    }
  }

  ResponsesPlan plan_;
  std::vector<ItemDraft> items_;
};

class WholeResponse final : public ResponsesAnswer {
 public:
  using ResponsesAnswer::ResponsesAnswer;

 private:
  void take(Choices::Turn turn, TimePoint now) override { grow(turn, now); }
  void end() override { put(conclude(), spelling()); }
};

class StreamedResponse final : public ResponsesAnswer {
 public:
  using ResponsesAnswer::ResponsesAnswer;

 private:
  /// Sends everything that comes before the model does any work.
  bool begin() override {
    write(responses::LifecycleEvent{.type = "response.created", .response = response()});
    if (in_background()) write(responses::LifecycleEvent{.type = "response.queued", .response = response()});
    begin_work();
    write(responses::LifecycleEvent{.type = "response.in_progress", .response = response()});
    begin_item(0);
    return true;
  }

  void take(Choices::Turn turn, TimePoint now) override {
    const bool begins = begins_item(turn);
    auto logprobs = grow(turn, now);
    if (begins) begin_item(turn.part);
    if (!turn.text.empty()) add_to_item(turn.part, std::move(turn.text), std::move(logprobs));
    if (turn.ends_part) end_item(turn.part);
  }

  void end() override {
    const auto& whole = conclude();
    write(responses::LifecycleEvent{.type = "response." + whole.status->str(), .response = whole});
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

  void add_to_item(std::size_t index, std::string text, std::vector<TokenLogprob> logprobs) {
    const auto& draft = item(index);
    if (draft.kind == Part::Kind::text) {
      write(responses::TextDelta{.item_id = draft.id,
                                 .output_index = at(index),
                                 .delta = std::move(text),
                                 .logprobs = std::move(logprobs)});
    } else if (draft.kind == Part::Kind::call) {
      write(responses::FunctionCallArgumentsDelta{
          .item_id = draft.id, .output_index = at(index), .delta = std::move(text)});
    } else if (shows_thought(draft)) {
      write(responses::ReasoningSummaryTextDelta{
          .item_id = draft.id, .output_index = at(index), .delta = std::move(text)});
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
    put_event(name, responses::Event(std::move(event)), spelling());
  }

  std::int64_t sequence_number_{};
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
  return json_answer(*std::move(body), frame.request_id);
}

}  // namespace

std::unique_ptr<Generation> answer_response(ResponsesPlan plan, CallFrame frame) {
  if (plan.background) return begin_in_background(std::move(plan), frame);
  if (plan.streamed) return std::make_unique<StreamedResponse>(std::move(plan), std::move(frame));
  return std::make_unique<WholeResponse>(std::move(plan), std::move(frame));
}

}  // namespace inferwire::inline v0_1::engine
