/// \file
/// The items of a Responses stream, and which of them a piece belongs to.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/response_items.hpp"
#include "wire/item_fold.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::wire {

/// Agents on Databricks answer in turns, each a separate response that numbers its items from 0. Items are
/// identified by `output_index`, or by their id if servers leave it out. Items beyond 1024 are dropped.
class ItemFolds {
 public:
  /// Whether the turn has ended: what follows belongs to the next one.
  bool turn_is_over() const noexcept { return over_; }
  void begin_turn();
  /// Drops the items of this turn.
  void clear() noexcept { items_.clear(); }

  /// Takes the items that a response holds: unless there are none, they replace those of the turn. `over`:
  /// the response has ended.
  void set_all(const std::vector<responses::Item>& output, bool over);
  /// Takes a complete item. Without an index it ends the open item with its id, or else one of its kind.
  void set(Optional<std::int64_t> index, const responses::Item& item, bool done);

  /// The item that a piece of a T belongs to; nullptr if there are too many. Without an index and with an
  /// unknown id, it is the latest item that can hold the piece: agents on Databricks change ids.
  template <class T>
  ItemFold* item_for(const auto& event) {
    ItemFold* const fold = find_or_add(event.output_index, event.item_id, &ItemFold::is<T>);
    if (fold != nullptr) fold->as<T>();  // a new item becomes a T
    return fold;
  }
  /// The call that a piece belongs to, as a T; nullptr also if it is of another kind. Some servers name it by
  /// `call_id` alone. `is_whole`: the piece is the call's whole text.
  template <class T>
  T* call_for(const auto& event, bool is_whole = false) {
    const Json* const id = event.output_index || over_ ? nullptr : event.extra.find("call_id");
    ItemFold* fold = id != nullptr ? find_open_call(id->as_string().value_or("")) : nullptr;
    if (fold == nullptr) fold = item_for<T>(event);
    T* const call = fold != nullptr ? fold->as<T>() : nullptr;
    if (call != nullptr && is_whole) fold->is_text_done = true;
    return call;
  }
  /// The part of a message that a piece belongs to, as a T.
  template <class T>
  T* content(const auto& event) {
    ItemFold* const fold = item_for<responses::Message>(event);
    auto* const part =
        fold != nullptr ? element_at(fold->content, event.content_index, [] { return T(); }) : nullptr;
    if (part == nullptr) return nullptr;
    const auto* const unknown = std::get_if<Unknown>(part);
    if (unknown != nullptr && unknown->json.is_null()) *part = T();
    return std::get_if<T>(part);
  }
  responses::ReasoningText* summary(const auto& event) {
    ItemFold* const fold = item_for<responses::Reasoning>(event);
    const auto make = [] { return responses::ReasoningText(); };
    return fold != nullptr ? element_at(fold->summary, event.summary_index, make) : nullptr;
  }
  responses::ReasoningText* thought(const auto& event) {
    ItemFold* const fold = item_for<responses::Reasoning>(event);
    const auto make = [] { return responses::ReasoningText{.type = "reasoning_text"}; };
    return fold != nullptr ? element_at(fold->reasoning, event.content_index, make) : nullptr;
  }

  /// The items of all turns. `complete`: the stream has ended as it should.
  std::vector<responses::Item> take(bool complete) &&;

 private:
  using IsKind = bool (ItemFold::*)() const noexcept;

  ItemFold* add(Optional<std::int64_t> index, std::string id);
  ItemFold* find_or_add(Optional<std::int64_t> index, const std::string& id, IsKind fits);
  ItemFold* find_open_call(std::string_view call_id) noexcept;
  template <class Fits>
  ItemFold* find(Optional<std::int64_t> index, const std::string& id, Fits fits, bool open);
  void close(bool complete);

  std::vector<responses::Item> closed_;  // of earlier turns
  std::vector<ItemFold> items_;          // of this turn
  bool over_{};
};

}  // namespace inferwire::inline v0_1::wire
