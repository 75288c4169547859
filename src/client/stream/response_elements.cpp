// The elements of response streams: events.
#include "client/call/answer_facts.hpp"
#include "client/stream/element.hpp"
#include "wire/documents.hpp"
#include "wire/error_body.hpp"
#include "wire/event_access.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

using responses::ErrorEvent;
using responses::Event;
using responses::LifecycleEvent;
using responses::UnknownEvent;

const Event& event_of(const void* element) { return *static_cast<const Event*>(element); }

/// Agents on Databricks send a tool's output as a bare item, without an event around it.
void wrap_lone_item(Event& event) {
  const auto* const unknown = event.get_if<UnknownEvent>();
  if (unknown == nullptr || unknown->type() != responses::FunctionCallOutput::type) return;
  auto whole = json::decode<Event>(R"({"type":")" + std::string(responses::OutputItemDone::type) +
                                   R"(","item":)" + unknown->json.text() + "}");
  if (whole) event = *std::move(whole);
}

/// An event without a type gets the name of its frame as its type.
bool decode_event(json::Decoder& decoder, std::string_view text, std::string_view name, void* element,
                  Error& error) {
  const auto& type = json::describe<Event>();
  if (!decoder.decode_any(text, element, type, json::Reading::tolerant, error, name)) return false;
  auto& event = *static_cast<Event*>(element);
  if (!name.empty()) detail::EventAccess::name(event, name);
  wrap_lone_item(event);
  return true;
}

/// Makes one event with the whole response.
bool decode_whole_response(json::Decoder& decoder, std::string_view text, std::int64_t, void* element,
                           Error& error) {
  LifecycleEvent event;
  if (!decoder.decode(text, event.response, json::Reading::tolerant, error)) return false;
  const auto& status = event.response.status;
  event.type = "response." + (status && !status->empty() ? status->str() : "completed");
  *static_cast<Event*>(element) = std::move(event);
  return true;
}

std::optional<wire::ErrorFacts> error_in(const void* element) {
  if (const auto* unknown = event_of(element).get_if<UnknownEvent>()) {
    return wire::error_in_document(unknown->json.text());
  }
  const auto* const error = event_of(element).get_if<ErrorEvent>();
  if (error == nullptr) return std::nullopt;
  if (error->error && !error->error->is_null()) {
    return wire::read_error_body("{\"error\":" + error->error->text() + "}", {});
  }
  return wire::ErrorFacts{.message = error->message.value_or("the server reported an error"),
                          .code = error->code.value_or(""),
                          .param = error->param.value_or("")};
}

/// Events that only report the response's state contain no part of the answer.
bool is_piece(const Event& event) {
  return event.get_if<LifecycleEvent>() == nullptr && event.get_if<UnknownEvent>() == nullptr;
}

void track(void* element, ChoiceTracker& choices) {
  if (is_piece(event_of(element))) choices.started(0);
}

/// Whether a response that failed says why. At Azure, the error event after it may do so.
bool is_explained(const responses::Response& response) {
  const auto& error = response.error;
  return error ? !error->code.empty() || !error->message.empty() : response.extra.find("error") != nullptr;
}

AnswerState answer_state(const void* element, Error& error) {
  const Event& event = event_of(element);
  const auto* const state = event.get_if<LifecycleEvent>();
  if (state == nullptr) return is_piece(event) ? AnswerState::piece : AnswerState::none;
  if (!state->is_terminal()) return AnswerState::under_way;
  auto failure = state->response.failure();
  if (!failure && state->type == "response.failed") {  // agents on Databricks may send no status
    auto failed = state->response;
    failed.status = responses::ResponseStatus::failed;
    failure = failed.failure();
  }
  if (!failure) return AnswerState::complete;
  error = *std::move(failure);
  return is_explained(state->response) ? AnswerState::failed : AnswerState::unexplained;
}

void note(const void* element, AnswerFacts& facts) {
  const auto* const state = event_of(element).get_if<LifecycleEvent>();
  if (state == nullptr) return;
  // Before its end, the status is no finish reason.
  if (state->is_terminal()) return note_facts(facts, state->response);
  note_identity(facts, state->response);
}

}  // namespace

template <>
const ElementOps& element_ops<Event>() {
  static constexpr ElementOps ops{.decode = &decode_event,
                                  .decode_whole = &decode_whole_response,
                                  .error_in = &error_in,
                                  .track = &track,
                                  .answer_state = &answer_state,
                                  .note = &note};
  return ops;
}

}  // namespace inferwire::inline v0_1::client
