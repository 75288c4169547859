#include "inferwire/response_events.hpp"

#include "base/immortal.hpp"
#include "wire/event_access.hpp"

namespace inferwire::inline v0_1::responses {

using detail::EventAccess;
using detail::EventTypes;

Event::Event() noexcept = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;
Event::~Event() = default;

Event::Event(const Event& other) {
  if (other.boxes_) boxes_ = std::make_unique<Boxes>(other.boxes_->active->clone());
}

Event& Event::operator=(const Event& other) {
  if (this != &other) *this = Event(other);
  return *this;
}

unsigned Event::index() const noexcept { return boxes_ ? boxes_->active->index : 0; }

const void* Event::value() const noexcept {
  static const Immortal<UnknownEvent> nothing;
  return boxes_ ? boxes_->active->value : &nothing.value;
}

bool operator==(const Event& a, const Event& b) {
  if (!a.boxes_ || !b.boxes_) {
    return a.index() == 0 && b.index() == 0 && *a.get_if<UnknownEvent>() == *b.get_if<UnknownEvent>();
  }
  return a.index() == b.index() && a.boxes_->active->equals(*b.boxes_->active);
}

std::string Event::type() const {
  return visit([]<class T>(const T& event) -> std::string {
    if constexpr (std::is_same_v<T, UnknownEvent>) {
      return event.type();
    } else {
      return std::string(event.type);
    }
  });
}

std::string_view Event::text() const noexcept {
  const auto* const delta = get_if<TextDelta>();
  return delta != nullptr ? std::string_view(delta->delta) : std::string_view();
}

std::string_view Event::reasoning_text() const noexcept {
  if (const auto* const delta = get_if<ReasoningTextDelta>()) return delta->delta;
  const auto* const delta = get_if<ReasoningSummaryTextDelta>();
  return delta != nullptr ? std::string_view(delta->delta) : std::string_view();
}

Optional<std::int64_t> Event::sequence_number() const {
  return visit([]<class T>(const T& event) -> Optional<std::int64_t> {
    if constexpr (std::is_same_v<T, UnknownEvent>) {
      const auto number = event.json.find("/sequence_number");
      return number ? number->as_int() : std::nullopt;
    } else {
      return event.sequence_number;
    }
  });
}

bool LifecycleEvent::is_terminal() const noexcept {
  return type == "response.completed" || type == "response.incomplete" || type == "response.failed" ||
         type == "response.cancelled" || type == "responses.completed";
}

bool operator==(const LifecycleEvent&, const LifecycleEvent&) = default;
bool operator==(const OutputItemAdded&, const OutputItemAdded&) = default;
bool operator==(const OutputItemDone&, const OutputItemDone&) = default;
bool operator==(const ContentPartAdded&, const ContentPartAdded&) = default;
bool operator==(const ContentPartDone&, const ContentPartDone&) = default;
bool operator==(const TextDelta&, const TextDelta&) = default;
bool operator==(const TextDone&, const TextDone&) = default;
bool operator==(const AnnotationAdded&, const AnnotationAdded&) = default;
bool operator==(const RefusalDelta&, const RefusalDelta&) = default;
bool operator==(const RefusalDone&, const RefusalDone&) = default;
bool operator==(const FunctionCallArgumentsDelta&, const FunctionCallArgumentsDelta&) = default;
bool operator==(const FunctionCallArgumentsDone&, const FunctionCallArgumentsDone&) = default;
bool operator==(const CustomToolCallInputDelta&, const CustomToolCallInputDelta&) = default;
bool operator==(const CustomToolCallInputDone&, const CustomToolCallInputDone&) = default;
bool operator==(const ReasoningSummaryPartAdded&, const ReasoningSummaryPartAdded&) = default;
bool operator==(const ReasoningSummaryPartDone&, const ReasoningSummaryPartDone&) = default;
bool operator==(const ReasoningSummaryTextDelta&, const ReasoningSummaryTextDelta&) = default;
bool operator==(const ReasoningSummaryTextDone&, const ReasoningSummaryTextDone&) = default;
bool operator==(const ReasoningTextDelta&, const ReasoningTextDelta&) = default;
bool operator==(const ReasoningTextDone&, const ReasoningTextDone&) = default;
bool operator==(const HostedToolEvent&, const HostedToolEvent&) = default;
bool operator==(const ErrorEvent&, const ErrorEvent&) = default;

}  // namespace inferwire::inline v0_1::responses
