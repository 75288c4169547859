/// \file
/// The events of a Responses stream.
///
///     for (auto& event : client.responses.stream(request)) {
///       if (!event) return report(event.error());
///       if (const auto* delta = event->get_if<responses::TextDelta>()) std::cout << delta->delta;
///     }
///
/// `output_index` is the index of the item in the response's output, `content_index` and `summary_index` are
/// the index of the part in the item. Ids may change from event to event (agents on Databricks): use the
/// indices. Some servers omit `sequence_number` and `output_index`.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/logprobs.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/response_items.hpp"
#include "inferwire/responses.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace responses {

/// An event that this library does not know: its JSON, unchanged.
using UnknownEvent = Unknown;

/// The current state of the response: `response.created`, `.queued`, `.in_progress`, and at the end
/// `.completed`, `.incomplete`, `.failed` or `.cancelled`.
struct LifecycleEvent {
  std::string type{};
  Optional<std::int64_t> sequence_number{};
  Response response;
  Extra extra{};

  /// Whether this is the last event of its response, and so of the stream, unless an agent answers in turns.
  INFERWIRE_API bool is_terminal() const noexcept;

  INFERWIRE_API friend bool operator==(const LifecycleEvent&, const LifecycleEvent&);
};

/// An item begins; it is still empty.
struct OutputItemAdded {
  static constexpr std::string_view type = "response.output_item.added";
  Optional<std::int64_t> sequence_number{};
  Optional<std::int64_t> output_index{};
  Item item;
  Extra extra{};

  INFERWIRE_API friend bool operator==(const OutputItemAdded&, const OutputItemAdded&);
};

/// An item is complete.
struct OutputItemDone {
  static constexpr std::string_view type = "response.output_item.done";
  Optional<std::int64_t> sequence_number{};
  Optional<std::int64_t> output_index{};
  Item item;
  Extra extra{};

  INFERWIRE_API friend bool operator==(const OutputItemDone&, const OutputItemDone&);
};

/// A part of a message, or of reasoning ("reasoning_text", Unknown here), begins.
struct ContentPartAdded {
  static constexpr std::string_view type = "response.content_part.added";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  ContentPart part;
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ContentPartAdded&, const ContentPartAdded&);
};

struct ContentPartDone {
  static constexpr std::string_view type = "response.content_part.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  ContentPart part;
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ContentPartDone&, const ContentPartDone&);
};

/// A piece of text.
struct TextDelta {
  static constexpr std::string_view type = "response.output_text.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string delta{};
  Optional<std::vector<TokenLogprob>> logprobs{};
  Optional<std::string> obfuscation{};  ///< padding, OpenAI
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextDelta&, const TextDelta&);
};

/// The complete text of a part; if it differs from the pieces, this is the correct text.
struct TextDone {
  static constexpr std::string_view type = "response.output_text.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string text{};
  Optional<std::vector<TokenLogprob>> logprobs{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TextDone&, const TextDone&);
};

struct AnnotationAdded {
  static constexpr std::string_view type = "response.output_text.annotation.added";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::int64_t annotation_index{};
  Annotation annotation{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const AnnotationAdded&, const AnnotationAdded&);
};

struct RefusalDelta {
  static constexpr std::string_view type = "response.refusal.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string delta{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const RefusalDelta&, const RefusalDelta&);
};

struct RefusalDone {
  static constexpr std::string_view type = "response.refusal.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string refusal{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const RefusalDone&, const RefusalDone&);
};

/// A piece of a function call's arguments: a fragment of JSON text.
struct FunctionCallArgumentsDelta {
  static constexpr std::string_view type = "response.function_call_arguments.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::string delta{};
  Optional<std::string> obfuscation{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallArgumentsDelta&, const FunctionCallArgumentsDelta&);
};

struct FunctionCallArgumentsDone {
  static constexpr std::string_view type = "response.function_call_arguments.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  Optional<std::string> name{};
  std::string arguments{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const FunctionCallArgumentsDone&, const FunctionCallArgumentsDone&);
};

/// A piece of a custom tool's input.
struct CustomToolCallInputDelta {
  static constexpr std::string_view type = "response.custom_tool_call_input.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::string delta{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolCallInputDelta&, const CustomToolCallInputDelta&);
};

struct CustomToolCallInputDone {
  static constexpr std::string_view type = "response.custom_tool_call_input.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::string input{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CustomToolCallInputDone&, const CustomToolCallInputDone&);
};

struct ReasoningSummaryPartAdded {
  static constexpr std::string_view type = "response.reasoning_summary_part.added";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t summary_index{};
  ReasoningText part{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningSummaryPartAdded&, const ReasoningSummaryPartAdded&);
};

struct ReasoningSummaryPartDone {
  static constexpr std::string_view type = "response.reasoning_summary_part.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t summary_index{};
  ReasoningText part{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningSummaryPartDone&, const ReasoningSummaryPartDone&);
};

/// A piece of the summary of the model's reasoning.
struct ReasoningSummaryTextDelta {
  static constexpr std::string_view type = "response.reasoning_summary_text.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t summary_index{};
  std::string delta{};
  Optional<std::string> obfuscation{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningSummaryTextDelta&, const ReasoningSummaryTextDelta&);
};

struct ReasoningSummaryTextDone {
  static constexpr std::string_view type = "response.reasoning_summary_text.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t summary_index{};
  std::string text{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningSummaryTextDone&, const ReasoningSummaryTextDone&);
};

/// A piece of the model's reasoning itself (open-weight models).
struct ReasoningTextDelta {
  static constexpr std::string_view type = "response.reasoning_text.delta";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string delta{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningTextDelta&, const ReasoningTextDelta&);
};

struct ReasoningTextDone {
  static constexpr std::string_view type = "response.reasoning_text.done";
  Optional<std::int64_t> sequence_number{};
  std::string item_id{};
  Optional<std::int64_t> output_index{};
  std::int64_t content_index{};
  std::string text{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ReasoningTextDone&, const ReasoningTextDone&);
};

/// Progress of a hosted tool (OpenAI): web and file search, code interpreter, image generation, MCP, shell,
/// audio, compaction. Members that depend on `type` are in `extra`.
struct HostedToolEvent {
  std::string type{};  ///< "response.web_search_call.searching"
  Optional<std::int64_t> sequence_number{};
  Optional<std::string> item_id{};
  Optional<std::int64_t> output_index{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const HostedToolEvent&, const HostedToolEvent&);
};

/// The server aborted the stream because of an error. A `Stream` turns it into its last element, an
/// Error{stream_error}; this struct is for programs that decode events themselves. Only after a failed
/// response that does not say why (Azure) is it an element too: it contains the reason.
struct ErrorEvent {
  std::string type{"error"};
  Optional<std::int64_t> sequence_number{};
  Optional<std::string> code{};
  Optional<std::string> message{};
  Optional<std::string> param{};
  Optional<Json> error{};  ///< the nested form, with code and message inside
  Extra extra{};

  INFERWIRE_API friend bool operator==(const ErrorEvent&, const ErrorEvent&);
};

}  // namespace responses

namespace detail {

template <class... T>
struct Types {
  /// The index of U in the list; the length of the list if it is not there.
  template <class U>
  static constexpr unsigned index_of() {
    unsigned index = 0;
    static_cast<void>(((std::is_same_v<T, U> || (++index, false)) || ...));
    return index;
  }
};

using EventTypes =
    Types<responses::UnknownEvent, responses::TextDelta, responses::TextDone, responses::LifecycleEvent,
          responses::OutputItemAdded, responses::OutputItemDone, responses::ContentPartAdded,
          responses::ContentPartDone, responses::AnnotationAdded, responses::RefusalDelta,
          responses::RefusalDone, responses::FunctionCallArgumentsDelta, responses::FunctionCallArgumentsDone,
          responses::CustomToolCallInputDelta, responses::CustomToolCallInputDone,
          responses::ReasoningSummaryPartAdded, responses::ReasoningSummaryPartDone,
          responses::ReasoningSummaryTextDelta, responses::ReasoningSummaryTextDone,
          responses::ReasoningTextDelta, responses::ReasoningTextDone, responses::HostedToolEvent,
          responses::ErrorEvent>;

class EventAccess;  // the codec's way in

}  // namespace detail

namespace responses {

/// One element of a Responses stream: one of the structs above, stored on the heap, since their sizes differ
/// widely. A default-constructed or moved-from Event is an UnknownEvent that holds null.
class INFERWIRE_API Event {
 public:
  Event() noexcept;
  template <class T>
    requires(detail::EventTypes::index_of<T>() < detail::EventTypes::index_of<void>())
  Event(T event);
  Event(const Event& other);
  Event(Event&& other) noexcept;
  Event& operator=(const Event& other);
  Event& operator=(Event&& other) noexcept;
  ~Event();

  /// The event as a T; nullptr if it is of another type.
  template <class T>
  const T* get_if() const noexcept INFERWIRE_LIFETIMEBOUND {
    constexpr unsigned wanted = detail::EventTypes::index_of<T>();
    static_assert(wanted < detail::EventTypes::index_of<void>(), "not an event");
    return index() == wanted ? static_cast<const T*>(value()) : nullptr;
  }

  /// Calls `visitor` with the event's struct. All overloads have to return the same type.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return visit_as(visitor, detail::EventTypes());
  }

  /// The event's `type`; empty for an unknown event without one.
  std::string type() const;
  /// The text that this event adds to the answer; "" if none. Valid as long as the event.
  std::string_view text() const noexcept INFERWIRE_LIFETIMEBOUND;
  /// The text that this event adds to the model's reasoning or its summary; "" if none. Valid as long as the
  /// event.
  std::string_view reasoning_text() const noexcept INFERWIRE_LIFETIMEBOUND;
  /// The position in the stream, for any type of event: `client.responses.resume` continues after it. Absent
  /// if the server does not number its events.
  Optional<std::int64_t> sequence_number() const;

  INFERWIRE_API friend bool operator==(const Event& a, const Event& b);

 private:
  friend class detail::EventAccess;
  struct Boxes;

  unsigned index() const noexcept;
  const void* value() const noexcept;

  template <class Visitor, class T>
  static decltype(auto) call(Visitor& visitor, const void* value) {
    return visitor(*static_cast<const T*>(value));
  }
  template <class Visitor, class... T>
  decltype(auto) visit_as(Visitor& visitor, detail::Types<T...>) const {
    using Return = std::common_type_t<decltype(visitor(std::declval<const T&>()))...>;
    constexpr Return (*calls[])(Visitor&, const void*) = {&call<Visitor, T>...};
    return calls[index()](visitor, value());
  }

  std::unique_ptr<Boxes> boxes_;
};

}  // namespace responses
}  // namespace inferwire::inline v0_1
