#include "wire/fold.hpp"

#include "json/scanner.hpp"
#include "wire/documents.hpp"
#include "wire/usage_table.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t most_names = 256;

template <class Wanted>
void fold_members(Extra& kept, const Extra& extra, const Wanted& wanted) {
  std::size_t refused = 0;
  for (const Member& member : extra) {
    if (!wanted(member)) continue;
    if (has_room(kept, member.name)) {
      kept.set(member.name, member.value);
    } else if (++refused > most_names) {
      return;
    }
  }
}

/// The text between the brackets of a list; nothing if it is not a list.
Optional<std::string_view> elements_of(const Json& value) {
  const auto text = json::trim(value.text());
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  return json::trim(text.substr(1, text.size() - 2));
}

/// Whether `type` is an object of optional whole numbers and of optional objects like it.
constexpr bool holds_counts(const json::Type& type) noexcept {
  const auto counts = [](const json::Entry& entry) {
    return entry.type->kind == json::Kind::opt_integer ||
           (entry.type->kind == json::Kind::optional && holds_counts(*entry.type->inner));
  };
  return type.kind == json::Kind::object &&
         std::ranges::all_of(std::span(type.object->entries, type.object->count), counts);
}

/// Overwrites the counts of `kept` with those that `piece` has, object by object.
void overlay(void* kept, const void* piece, const json::Type& type) {
  auto* const to = static_cast<char*>(kept);
  const auto* const from = static_cast<const char*>(piece);
  for (const json::Entry& entry : std::span(type.object->entries, type.object->count)) {
    const json::View value = entry.type->holder->view(from + entry.offset);
    if (value.size == 0) continue;
    void* const place = entry.type->holder->open(to + entry.offset, 0);
    if (entry.type->kind == json::Kind::optional) {
      overlay(place, value.data, *entry.type->inner);
    } else {
      *static_cast<std::int64_t*>(place) = *static_cast<const std::int64_t*>(value.data);
    }
  }
  fold_extra(*reinterpret_cast<Extra*>(to + type.object->extra_offset),
             *reinterpret_cast<const Extra*>(from + type.object->extra_offset), type);
}

}  // namespace

bool has_room(const Extra& kept, const std::string& name) noexcept {
  return kept.size() < most_names || (kept.size() == most_names && kept.find(name) != nullptr);
}

void fold_extra(Extra& kept, const Extra& extra) {
  fold_members(kept, extra, [](const Member&) { return true; });
}

void fold_extra(Extra& kept, const Extra& extra, const json::Type& owner) {
  fold_members(kept, extra, [&owner](const Member& member) {
    return !member.value.is_null() && !json::has_member(owner, member.name);
  });
}

void drop_unread(Extra& extra, const void* object, const json::Type& type) {
  if (extra.empty()) return;
  for (const json::Entry& entry : std::span(type.object->entries, type.object->count)) {
    const auto* const member = static_cast<const char*>(object) + entry.offset;
    const bool is_set = entry.type->kind == json::Kind::string
                            ? !reinterpret_cast<const std::string*>(member)->empty()
                            : entry.type->holder != nullptr && entry.type->holder->view(member).size != 0;
    if (is_set) extra.erase(entry.name.view());
  }
}

void fold_list(Optional<Json>& kept, const Json& piece) {
  if (kept == piece) return;
  const auto more = elements_of(piece);
  const auto before = kept ? elements_of(*kept) : Optional<std::string_view>();
  if (more && more->empty() && kept) return;
  if (!more || !before || before->empty()) {
    kept = piece;
    return;
  }
  auto list = std::move(*kept).text();
  list.erase(list.rfind(']'));
  list += ',';
  list += *more;
  list += ']';
  kept = Json::raw(std::move(list));
}

void fold_usage(Optional<Usage>& kept, const Optional<Usage>& usage) {
  if (!usage) return;
  static_assert(holds_counts(json::type_of<Usage>));
  if (!kept) kept.emplace();
  overlay(&*kept, &*usage, json::type_of<Usage>);
}

}  // namespace inferwire::inline v0_1::wire
