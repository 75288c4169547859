/// \file
/// Folds the pieces of an item of a Responses stream.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"
#include "inferwire/response_items.hpp"
#include "wire/numbered.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace inferwire::inline v0_1::wire {

/// Takes the text of a `*.done` event. Some servers leave out there what the pieces contained.
void take_done(std::string& gathered, const std::string& whole);
void take_done(responses::ReasoningText& gathered, const responses::ReasoningText& whole);
void take_done(responses::ContentPart& gathered, const responses::ContentPart& whole);

/// The id of an item; empty if it has none.
std::string id_of(const responses::Item& item);

/// The `call_id` of a call; empty for items of other kinds.
std::string_view call_id_of(const responses::Item& item) noexcept;

/// An item in progress: its lists are kept separately, because their elements are numbered.
struct ItemFold {
  Optional<std::int64_t> index{};
  std::string id{};
  bool done{};
  bool is_text_done{};  // of a call
  responses::Item item{Unknown{}};
  Numbered<responses::ContentPart> content{};      // of a message
  Numbered<responses::ReasoningText> reasoning{};  // of reasoning
  Numbered<responses::ReasoningText> summary{};

  template <class T>
  bool is() const noexcept {
    return std::holds_alternative<T>(item);
  }

  /// Whether nothing is known of the item yet.
  bool is_blank() const noexcept {
    const auto* const unknown = std::get_if<Unknown>(&item);
    return unknown != nullptr && unknown->json.is_null();
  }

  /// The item as a T; an unknown one, for which only pieces were received, becomes a T.
  template <class T>
  T* as() {
    if (auto* const kind = std::get_if<T>(&item)) return kind;
    if (!is_blank()) return nullptr;
    T& made = item.emplace<T>();
    if (!id.empty()) made.id = id;
    if constexpr (std::is_same_v<T, responses::Message>) {
      made.type = "message";
      made.role = Role::assistant;
    }
    return &made;
  }

  /// Takes a complete item; where it is empty, what was gathered is kept.
  void set(const responses::Item& whole, bool is_done);

  /// Takes a part of a message. `is_done`: it is complete, and what it says replaces what was gathered.
  void set_part(std::int64_t number, const responses::ContentPart& part, bool is_done);

  /// `told`: the server has sent the response's status. Otherwise items that are not done may be cut off, as
  /// in a chat.
  responses::Item finished(bool complete, bool told) &&;
};

}  // namespace inferwire::inline v0_1::wire
