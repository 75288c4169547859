// Folds the events of a Responses stream into the answer that the call without streaming would have given.
// Non-empty `*.done` events take precedence over the pieces before them, and so does the output of the last
// response.
#include "inferwire/response_events.hpp"
#include "inferwire/responses.hpp"
#include "wire/documents.hpp"
#include "wire/fold.hpp"
#include "wire/item_folds.hpp"
#include "wire/lenient_json.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::responses {
namespace {

constexpr std::size_t most_annotations = 1024;

}  // namespace

struct INFERWIRE_PRIVATE Accumulator::State {
  Response response{};  // except its output
  wire::ItemFolds items{};
  Optional<std::int64_t> created{};  // the sequence number of the event that began the response

  /// Custom outputs of agents on Databricks, which may be in any event.
  void take_custom_outputs(const Extra& extra) {
    const auto* const outputs = extra.find("custom_outputs");
    if (outputs != nullptr && !outputs->is_null()) response.custom_outputs = *outputs;
  }

  void add(const UnknownEvent&) {}
  void add(const HostedToolEvent&) {}
  void add(const LifecycleEvent& event) {
    // Some servers send the completion of a response twice.
    const bool repeated = items.turn_is_over() && event.is_terminal() && event.response.id == response.id;
    if (event.type == "response.created") {
      // A stream that was resumed from its beginning repeats this event. Turns of agents may share an id, but
      // their events have no numbers.
      const bool again = event.sequence_number && event.sequence_number == created &&
                         event.response.id == response.id && !items.turn_is_over();
      if (again) items.clear();
      created = event.sequence_number;
    }
    if (event.type == "response.created" || (items.turn_is_over() && !repeated)) items.begin_turn();
    auto usage = std::move(response.usage);
    auto custom_outputs = std::move(response.custom_outputs);
    response = event.response;
    response.output.clear();
    if (!response.usage) response.usage = std::move(usage);
    if (!response.custom_outputs) response.custom_outputs = std::move(custom_outputs);
    // Agents on Databricks give the status only by the name of the event.
    if (!response.status && event.is_terminal())
      response.status = event.type.substr(event.type.rfind('.') + 1);
    items.set_all(event.response.output, event.is_terminal());
  }
  void add(const ErrorEvent& event) {
    const auto nested = [&event](std::string_view pointer) {
      return event.error ? wire::word(event.error->find(pointer)) : std::string();
    };
    const auto optional = [](std::string text) {
      return text.empty() ? Optional<std::string>() : Optional<std::string>(std::move(text));
    };
    auto code = event.code ? *event.code : nested("/code");
    auto message = event.message ? *event.message : nested("/message");
    if (message.empty()) message = nested("");  // just a text
    if (code.empty() && message.empty()) return;
    response.error = ResponseError{.code = std::move(code),
                                   .message = std::move(message),
                                   .param = event.param ? event.param : optional(nested("/param")),
                                   .type = optional(nested("/type"))};
  }
  void add(const OutputItemAdded& event) { items.set(event.output_index, event.item, false); }
  void add(const OutputItemDone& event) { items.set(event.output_index, event.item, true); }
  void add(const ContentPartAdded& event) { set_part(event, false); }
  void add(const ContentPartDone& event) { set_part(event, true); }
  void add(const TextDelta& event) {
    auto* const part = items.content<OutputText>(event);
    if (part == nullptr) return;
    part->text += event.delta;
    if (!event.logprobs || event.logprobs->empty()) return;
    if (!part->logprobs) part->logprobs.emplace();
    part->logprobs->insert(part->logprobs->end(), event.logprobs->begin(), event.logprobs->end());
  }
  void add(const TextDone& event) {
    auto* const part = items.content<OutputText>(event);
    if (part == nullptr) return;
    wire::take_done(part->text, event.text);
    if (event.logprobs && !event.logprobs->empty()) part->logprobs = event.logprobs;
  }
  void add(const AnnotationAdded& event) {
    auto* const part = items.content<OutputText>(event);
    if (part != nullptr && part->annotations.size() < most_annotations)
      part->annotations.push_back(event.annotation);
  }
  void add(const RefusalDelta& event) {
    if (auto* const part = items.content<Refusal>(event)) part->refusal += event.delta;
  }
  void add(const RefusalDone& event) {
    if (auto* const part = items.content<Refusal>(event)) wire::take_done(part->refusal, event.refusal);
  }
  void add(const FunctionCallArgumentsDelta& event) {
    if (auto* const call = items.call_for<FunctionCall>(event)) call->arguments += event.delta;
  }
  void add(const FunctionCallArgumentsDone& event) {
    auto* const call = items.call_for<FunctionCall>(event, true);
    if (call == nullptr) return;
    wire::take_done(call->arguments, event.arguments);
    if (event.name && !event.name->empty()) call->name = *event.name;
  }
  void add(const CustomToolCallInputDelta& event) {
    if (auto* const call = items.call_for<CustomToolCall>(event)) call->input += event.delta;
  }
  void add(const CustomToolCallInputDone& event) {
    auto* const call = items.call_for<CustomToolCall>(event, true);
    if (call == nullptr) return;
    wire::take_done(call->input, event.input);
  }
  void add(const ReasoningSummaryPartAdded& event) {
    if (auto* const piece = items.summary(event)) *piece = event.part;
  }
  void add(const ReasoningSummaryPartDone& event) {
    if (auto* const piece = items.summary(event)) wire::take_done(*piece, event.part);
  }
  void add(const ReasoningSummaryTextDelta& event) {
    if (auto* const piece = items.summary(event)) piece->text += event.delta;
  }
  void add(const ReasoningSummaryTextDone& event) {
    if (auto* const piece = items.summary(event)) wire::take_done(piece->text, event.text);
  }
  void add(const ReasoningTextDelta& event) {
    if (auto* const piece = items.thought(event)) piece->text += event.delta;
  }
  void add(const ReasoningTextDone& event) {
    if (auto* const piece = items.thought(event)) wire::take_done(piece->text, event.text);
  }

  /// Parts of reasoning are sent with the same events as parts of messages.
  void set_part(const auto& event, bool done) {
    const auto* const unknown = std::get_if<Unknown>(&event.part);
    if (unknown != nullptr && unknown->json.is_null()) return;
    if (unknown != nullptr && unknown->type() == "reasoning_text") {
      auto* const piece = items.thought(event);
      const auto text = unknown->json.find("/text");
      if (piece != nullptr && text) wire::take_done(piece->text, text->as_string().value_or(""));
      return;
    }
    wire::ItemFold* const fold = items.item_for<Message>(event);
    if (fold != nullptr) fold->set_part(event.content_index, event.part, done);
  }

  Response finished(bool complete) && {
    response.output = std::move(items).take(complete);
    if (response.object.empty()) response.object = "response";
    wire::drop_unread(response.extra, &response, json::describe<Response>());
    return std::move(response);
  }
};

Accumulator::Accumulator() : state_(std::make_unique<State>()) {}
Accumulator::Accumulator(Accumulator&& other) noexcept : Accumulator() { state_.swap(other.state_); }
Accumulator& Accumulator::operator=(Accumulator&& other) noexcept {
  Accumulator taken(std::move(other));
  state_.swap(taken.state_);
  return *this;
}
Accumulator::~Accumulator() = default;

void Accumulator::add(const Event& event) {
  event.visit([this](const auto& kind) {
    if constexpr (requires { kind.extra; }) state_->take_custom_outputs(kind.extra);
    state_->add(kind);
  });
}

Response Accumulator::partial() const { return State(*state_).finished(true); }

Response Accumulator::take(bool complete) {
  Response out = std::move(*state_).finished(complete);
  *state_ = State{};
  return out;
}

}  // namespace inferwire::inline v0_1::responses
