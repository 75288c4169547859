// The elements of response streams: events.
#include "client/call/answer_facts.hpp"
#include "client/stream/decode_answer.hpp"
#include "client/stream/element.hpp"
#include "json/text_at.hpp"
#include "wire/documents.hpp"
#include "wire/error_body.hpp"
#include "wire/event_access.hpp"
#include "wire/lenient_json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inferwire::inline v0_1::client {

namespace {

using responses::ErrorEvent;
using responses::Event;
using responses::LifecycleEvent;
using responses::UnknownEvent;

const Event& event_of(const void* element) { return *static_cast<const Event*>(element); }

/// Makes `event`, which may hold `json`, the one of this type whose member `name` is `json`, if that can be
/// decoded. Its sequence number is that of `document`, which was sent in its place.
bool become(Event& event, std::string_view type, std::string_view name, const Json& json,
            const Json& document) {
  std::string text = R"({"type":")";
  (text += type) += '"';
  const auto number = document.find("/sequence_number");
  if (number && number->as_int()) (text += ",\"sequence_number\":") += number->text();
  (((text += ",\"") += name) += "\":") += json.text();
  auto whole = json::decode<Event>(text += '}');
  if (whole) event = *std::move(whole);
  return whole.has_value();
}

/// `response.done` in place of the events that end a stream. (pleaseai/shunt#295, danielwpz/pokoclaw#62)
void read_as_end(Event& event, const Json& done) {
  const auto response = done.find("/response");
  const auto status = response ? json::text_at(*response, "/status") : std::string();
  for (const std::string_view type :
       {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}) {
    if (!status.empty() && type.ends_with("." + status)) become(event, type, "response", *response, done);
  }
}

/// Agents on Databricks send a tool's output as a bare item, without an event around it.
void read_unknown(Event& event, std::string_view name) {
  const auto* const unknown = event.get_if<UnknownEvent>();
  if (unknown == nullptr) return;
  const auto type = unknown->type();
  if (type == responses::FunctionCallOutput::type) {
    become(event, responses::OutputItemDone::type, "item", unknown->json, unknown->json);
  } else if ((type.empty() ? name : std::string_view(type)) == "response.done") {
    read_as_end(event, unknown->json);
  }
}

/// Whether an object has members of a response. Errors may give their HTTP status, too: as a number.
bool is_like_response(const Json& object) {
  const auto status = object.find("/status");
  const auto output = object.find("/output");
  return !object.find("/response") && ((status && status->is_string()) || (output && output->is_array()));
}

/// Reads a response in place of an event about it, which would have it as its `response`
/// (pjq/sap-ai-core-llm-proxy#35, 7836246/cursor2api#116, azerozero/grob#386); and an event without any,
/// which keeps the connection alive (diegosouzapw/OmniRoute#14330).
[[gnu::cold]] bool decode_bare_response(std::string_view text, std::string_view name, Event& event,
                                        Error& problem) {
  if (problem.path != "response") return false;
  const auto document = wire::object_in(text);
  if (!document) return false;
  auto type = json::text_at(*document, "/type");
  if (type.empty()) type = name;
  if (type == "response.in_progress" && !document->find("/response") && !is_like_response(*document)) {
    problem = {};
    event = UnknownEvent{*document};
    return true;
  }
  if (!is_like_response(*document)) return false;
  if (type != "response.failed" && wire::error_in_unread(text)) return false;
  if (!become(event, "response.created", "response", *document, *document)) return false;
  problem = {};
  auto state = *event.get_if<LifecycleEvent>();
  state.type = std::move(type);
  for (const auto* member : {"type", "sequence_number"}) state.response.extra.erase(member);
  event = std::move(state);
  return true;
}

/// An event without a type gets the name of its frame as its type.
bool decode_event(json::Decoder& decoder, std::string_view text, std::string_view name, void* element,
                  Error& error) {
  const auto& type = json::describe<Event>();
  auto& event = *static_cast<Event*>(element);
  if (!decoder.decode_any(text, element, type, json::Reading::tolerant, error, name))
    return decode_bare_response(text, name, event, error);
  if (!name.empty()) detail::EventAccess::name(event, name);
  read_unknown(event, name);
  return true;
}

/// Makes one event with the whole response.
bool decode_whole_response(json::Decoder& decoder, std::string_view text, std::int64_t, void* element,
                           Error& error) {
  auto answer = decode_answer<responses::Response>(decoder, text);
  if (!answer) {
    error = std::move(answer).error();
    return false;
  }
  LifecycleEvent event{.response = *std::move(answer)};
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
