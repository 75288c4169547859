#include "wire/response_events_table.hpp"

#include "wire/documents.hpp"
#include "wire/event_access.hpp"

#include <array>
#include <tuple>
#include <utility>

namespace inferwire::inline v0_1 {
namespace json {
namespace {

using inferwire::detail::EventAccess;
using responses::Event;
using responses::UnknownEvent;

/// The union behind Event: an alternative for every event on the wire, Unknown last.
template <class Types>
struct EventUnion;
template <class... T>
struct EventUnion<inferwire::detail::Types<T...>> {
  static constexpr auto owners = detail::TagTable<true, T...>();
  static constexpr std::size_t unknown = owners.count;

  template <std::size_t Slot>
  using At = std::tuple_element_t<owners.list[Slot].alternative, std::tuple<T...>>;
  template <class U, std::size_t Slot>
  static void* open(void* self) {
    return EventAccess::open<U>(*static_cast<Event*>(self), Slot);
  }
  static std::size_t active(const void* self) {
    return EventAccess::slot(*static_cast<const Event*>(self), unknown);
  }
  static const void* view(const void* self) { return EventAccess::value(*static_cast<const Event*>(self)); }
  static void renew(void* self) { *static_cast<Event*>(self) = Event(); }

  /// The first slot of a U.
  template <class U>
  static constexpr std::size_t slot_of() {
    constexpr unsigned wanted = inferwire::detail::EventTypes::index_of<U>();
    for (std::size_t i = 0; i < owners.count; ++i) {
      if (owners.list[i].alternative == wanted) return i;
    }
    return unknown;
  }

  template <std::size_t... Slot>
  static constexpr std::array<Alternative, unknown + 1> alternatives_of(std::index_sequence<Slot...>) {
    return {{{&type_of<At<Slot>>, &open<At<Slot>, Slot>}...,
             {&type_of<UnknownEvent>, &open<UnknownEvent, unknown>}}};
  }
  static constexpr auto alternatives = alternatives_of(std::make_index_sequence<unknown>());

  static constexpr std::array<Tag, unknown> tags_by_slot() {
    std::array<Tag, unknown> sorted{};
    for (std::size_t i = 0; i < unknown; ++i) sorted[i] = {owners.list[i].name, static_cast<std::uint8_t>(i)};
    return sorted;
  }
  static constexpr auto tags = tags_by_slot();

  static constexpr auto slots = detail::place<detail::slot_bits(unknown)>(tags.data(), unknown);
  static constexpr Union value{.alternatives = alternatives.data(),
                               .count = unknown + 1,
                               .tags = tags.data(),
                               .index = slots.index(),
                               .untagged = unknown,
                               .active = &active,
                               .view = &view,
                               .renew = &renew};
  static constexpr Type type{Kind::tagged, object_shape, nullptr, nullptr, nullptr, &value};
};

using Events = EventUnion<inferwire::detail::EventTypes>;

}  // namespace

template <>
const Type& describe<Event>() {
  return Events::type;
}

}  // namespace json

namespace responses {

template <class T>
  requires(detail::EventTypes::index_of<T>() < detail::EventTypes::index_of<void>())
Event::Event(T event) {
  detail::EventAccess::hold(*this, json::Events::slot_of<T>(), std::move(event));
}

template INFERWIRE_API Event::Event(UnknownEvent);
template INFERWIRE_API Event::Event(TextDelta);
template INFERWIRE_API Event::Event(TextDone);
template INFERWIRE_API Event::Event(LifecycleEvent);
template INFERWIRE_API Event::Event(OutputItemAdded);
template INFERWIRE_API Event::Event(OutputItemDone);
template INFERWIRE_API Event::Event(ContentPartAdded);
template INFERWIRE_API Event::Event(ContentPartDone);
template INFERWIRE_API Event::Event(AnnotationAdded);
template INFERWIRE_API Event::Event(RefusalDelta);
template INFERWIRE_API Event::Event(RefusalDone);
template INFERWIRE_API Event::Event(FunctionCallArgumentsDelta);
template INFERWIRE_API Event::Event(FunctionCallArgumentsDone);
template INFERWIRE_API Event::Event(CustomToolCallInputDelta);
template INFERWIRE_API Event::Event(CustomToolCallInputDone);
template INFERWIRE_API Event::Event(ReasoningSummaryPartAdded);
template INFERWIRE_API Event::Event(ReasoningSummaryPartDone);
template INFERWIRE_API Event::Event(ReasoningSummaryTextDelta);
template INFERWIRE_API Event::Event(ReasoningSummaryTextDone);
template INFERWIRE_API Event::Event(ReasoningTextDelta);
template INFERWIRE_API Event::Event(ReasoningTextDone);
template INFERWIRE_API Event::Event(HostedToolEvent);
template INFERWIRE_API Event::Event(ErrorEvent);

}  // namespace responses
}  // namespace inferwire::inline v0_1
