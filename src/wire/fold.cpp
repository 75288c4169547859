#include "wire/fold.hpp"

#include "json/access.hpp"
#include "json/scanner.hpp"
#include "wire/documents.hpp"
#include "wire/usage_table.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace inferwire::inline v0_1::wire {
namespace {

constexpr std::size_t most_names = 256;

/// The text between the brackets of a list; nothing if it is not a list.
Optional<std::string_view> elements_of(const Json& value) {
  const auto text = json::trim(value.text());
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  return json::trim(text.substr(1, text.size() - 2));
}

/// Whether `last` are the last elements of a list, but not all.
bool ends_with_elements(std::string_view list, std::string_view last) noexcept {
  if (list.size() <= last.size() || !list.ends_with(last)) return false;
  return json::trim(list.substr(0, list.size() - last.size())).ends_with(',');
}

/// Appends the elements of one list to another. False: one of them is no list.
bool append_elements(Json& list, const Json& piece) {
  const auto more = elements_of(piece);
  const auto before = elements_of(list);
  if (!more || !before) return false;
  if (before->empty()) {
    list = piece;
  } else if (!more->empty()) {
    auto& text = json::Access::text(list);
    text.erase(text.rfind(']'));
    text += ',';
    text += *more;
    text += ']';
  }
  return true;
}

/// Appends a list to the member of `kept` that has its name. False: there is none, or one of them is no list.
bool append_to_member(Extra& kept, const Member& piece) {
  auto& members = json::Access::members(kept);
  const auto found = std::ranges::find(members, piece.name, &Member::name);
  return found != members.end() && append_elements(found->value, piece.value);
}

/// Accepts every member, null only under a name that `kept` does not have.
auto news_to(const Extra& kept) {
  return
      [&kept](const Member& member) { return !member.value.is_null() || kept.find(member.name) == nullptr; };
}

template <class Wanted, class Joined>
void fold_members(Extra& kept, const Extra& extra, const Wanted& wanted, const Joined& joined) {
  std::size_t refused = 0;
  for (const Member& member : extra) {
    if (!wanted(member) || (joined(member) && append_to_member(kept, member))) continue;
    if (has_room(kept, member.name)) {
      kept.set(member.name, member.value);
    } else if (++refused > most_names) {
      return;
    }
  }
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
  fold_members(kept, extra, news_to(kept), [](const Member&) { return false; });
}

void fold_extra(Extra& kept, const Extra& extra, const json::Type& owner, std::string_view joined) {
  const auto tells = [&owner](const Member& member) {
    return !member.value.is_null() && !json::has_member(owner, member.name);
  };
  fold_members(kept, extra, tells, [joined](const Member& member) { return member.name == joined; });
}

void fold_token_lists(Extra& kept, const Extra& extra) {
  fold_members(kept, extra, news_to(kept), [](const Member&) { return true; });
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
  if (more && kept && (more->empty() || (before && ends_with_elements(*before, *more)))) return;
  if (!kept || !append_elements(*kept, piece)) kept = piece;
}

void fold_usage(Optional<Usage>& kept, const Optional<Usage>& usage) {
  if (!usage) return;
  static_assert(holds_counts(json::type_of<Usage>));
  if (!kept) kept.emplace();
  overlay(&*kept, &*usage, json::type_of<Usage>);
}

}  // namespace inferwire::inline v0_1::wire
