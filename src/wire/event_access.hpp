/// \file
/// The inside of a Responses event: each kind that it has held keeps a box of its own, so that a stream
/// decoded into one Event soon needs no allocations, regardless of how its events alternate.
#pragma once

#include "inferwire/response_events.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {

namespace responses {

/// An event of one kind. Boxes of the same kind but of different events on the wire (`response.created`,
/// `response.completed`) have different slots, because their contents differ.
struct Box {
  unsigned index{};     ///< its index in EventTypes
  std::size_t slot{};   ///< its index among the events on the wire
  const void* value{};  ///< inside this box

  Box(unsigned the_index, std::size_t the_slot) : index(the_index), slot(the_slot) {}
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  virtual ~Box() = default;
  virtual std::unique_ptr<Box> clone() const = 0;
  /// `other` must be of the same kind.
  virtual bool equals(const Box& other) const = 0;
};

template <class T>
struct BoxOf final : Box {
  T event;

  explicit BoxOf(std::size_t the_slot, T the_event = T())
      : Box(detail::EventTypes::index_of<T>(), the_slot), event(std::move(the_event)) {
    value = &event;
  }
  std::unique_ptr<Box> clone() const override { return std::make_unique<BoxOf>(slot, event); }
  bool equals(const Box& other) const override { return event == *static_cast<const T*>(other.value); }
};

struct INFERWIRE_PRIVATE Event::Boxes {
  std::vector<std::unique_ptr<Box>> all{};
  Box* active{};

  explicit Boxes(std::unique_ptr<Box> box) { add(std::move(box)); }
  void add(std::unique_ptr<Box> box) {
    active = box.get();
    all.push_back(std::move(box));
  }
};

}  // namespace responses

namespace detail {

class EventAccess {
  using Event = responses::Event;
  template <class T>
  using BoxOf = responses::BoxOf<T>;

 public:
  /// Opens the event as a T, for writing; its previous value stays in its own box.
  template <class T>
  static T* open(Event& event, std::size_t slot) {
    if (!event.boxes_) {
      event.boxes_ = std::make_unique<Event::Boxes>(std::make_unique<BoxOf<T>>(slot));
    } else if (event.boxes_->active->slot != slot && !find(*event.boxes_, slot)) {
      event.boxes_->add(std::make_unique<BoxOf<T>>(slot));
    }
    return const_cast<T*>(static_cast<const T*>(event.boxes_->active->value));
  }

  /// Replaces the contents of `event` by `value`.
  template <class T>
  static void hold(Event& event, std::size_t slot, T value) {
    event.boxes_ = std::make_unique<Event::Boxes>(std::make_unique<BoxOf<T>>(slot, std::move(value)));
  }

  /// Sets the type of an event that was sent without one.
  static void name(Event& event, std::string_view type) {
    event.visit([type]<class T>(const T& kind) {
      if constexpr (requires(T e) { e.type = type; }) {
        if (kind.type.empty()) const_cast<T&>(kind).type = type;  // the box is the event's own
      }
    });
  }

  /// The slot of the current event; `none` for a default-constructed one.
  static std::size_t slot(const Event& event, std::size_t none) noexcept {
    return event.boxes_ ? event.boxes_->active->slot : none;
  }
  static const void* value(const Event& event) noexcept { return event.value(); }

 private:
  static bool find(Event::Boxes& boxes, std::size_t slot) {
    for (const auto& box : boxes.all) {
      if (box->slot != slot) continue;
      boxes.active = box.get();
      return true;
    }
    return false;
  }
};

}  // namespace detail
}  // namespace inferwire::inline v0_1
