// Objects: finds the member for each key, and handles members that are absent.
#include "json/walk.hpp"

#include "json/access.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace inferwire::inline v0_1::json {

bool Walk::unescape(std::string_view raw, std::string& out) {
  out.clear();
  return append_unescaped(out, raw);
}

inline Outcome Walk::string(ondemand::value& value, std::string_view token, std::string& out) {
  if (token.front() != '"') return misfit("expected string");
  // Taking the string from On-Demand costs less than skipping it.
  ondemand::raw_json_string taken;
  if (value.get_raw_json_string().get(taken) != simdjson::SUCCESS) return Outcome::malformed;
  token = without_space(token);
  if (token.size() < 2 || token.back() != '"') return Outcome::malformed;
  const std::string_view inside = token.substr(1, token.size() - 2);
  if (stencil_ != nullptr) stencil_->string(inside, out);
  if (std::memchr(inside.data(), '\\', inside.size()) == nullptr) {
    shelf_.assign(out, inside);
    return Outcome::taken;
  }
  return unescape(inside, out) ? Outcome::taken : Outcome::malformed;
}

Outcome Walk::raw(const char* from, std::string& out, int depth) {
  Scanner scanner({from, static_cast<std::size_t>(end_ - from)}, depth);
  if (!scanner.value()) return Outcome::malformed;
  const std::string_view text(from, scanner.offset());
  if (stencil_ != nullptr && *from == '"') stencil_->raw_string(text, out);
  shelf_.assign(out, text);
  // On-Demand skips by counting brackets; it may only do so from the real end of a value.
  scanner.space();
  const bool proper = scanner.take(',') || scanner.take('}') || scanner.take(']');
  return proper ? Outcome::taken : Outcome::malformed;
}

Outcome Walk::keep(Extra& extra, std::size_t& kept, std::string_view key, const char* from, int depth) {
  auto& members = Access::members(extra);
  if (kept == members.size()) {
    if (kept == members.capacity()) spoil_stencil();
    if (!take_room(kept, sizeof(Member))) return Outcome::malformed;
    members.emplace_back();
  }
  Member& member = members[kept++];
  if (std::memchr(key.data(), '\\', key.size()) == nullptr) {
    shelf_.assign(member.name, key);
  } else if (!unescape(key, member.name)) {
    return Outcome::malformed;
  }
  return raw(from, Access::text(member.value), depth);
}

namespace {

/// Removes the member `name` from the first `kept` members of `extra`, which have it.
[[gnu::cold]] void forget(Extra& extra, std::size_t& kept, std::string_view name) {
  auto& members = Access::members(extra);
  const auto end = members.begin() + static_cast<std::ptrdiff_t>(kept);
  // From the end, so that all searches together take time linear in the number of members.
  const auto found = std::find_if(std::make_reverse_iterator(end), members.rend(),
                                  [name](const Member& member) { return member.name == name; });
  std::rotate(found.base() - 1, found.base(), end);  // its memory may be reused
  --kept;
}

}  // namespace

[[gnu::always_inline]] inline Outcome Walk::value(ondemand::value& value, std::string_view token, void* p,
                                                  const Type& type, Flag flags, int depth) {
  if (token.front() == 'n' && type.kind != Kind::json && type.kind != Kind::tagged) {
    bool null = false;
    const bool read = value.is_null().get(null) == simdjson::SUCCESS && null;
    return read && without_space(token).size() == 4 ? Outcome::absent : Outcome::malformed;
  }
  if (type.kind != Kind::string && type.kind != Kind::opt_string)
    return compound(value, p, type, flags, depth);
  std::string* out = static_cast<std::string*>(p);
  if (type.kind == Kind::opt_string) {
    auto& text = *static_cast<Optional<std::string>*>(p);
    out = text ? &*text : &text.emplace();
  }
  if (stands_for_string(token.front(), flags)) [[unlikely]] {
    return raw(token.data(), *out, depth);
  }
  return string(value, token, *out);
}

Outcome Walk::element(ondemand::value& value, void* p, const Type& type, int depth, Flag flags) {
  return this->value(value, value.raw_json_token(), p, type, flags, depth);
}

Outcome Walk::compound(ondemand::value& value, void* p, const Type& type, Flag flags, int depth) {
  switch (type.kind) {
    case Kind::integer: return integer(value, *static_cast<std::int64_t*>(p));
    case Kind::opt_integer: return integer(value, static_cast<Optional<std::int64_t>*>(p)->emplace());
    case Kind::number: return number(value, *static_cast<double*>(p));
    case Kind::opt_number: return number(value, static_cast<Optional<double>*>(p)->emplace());
    case Kind::boolean: return boolean(value, *static_cast<bool*>(p));
    case Kind::opt_boolean: return boolean(value, static_cast<Optional<bool>*>(p)->emplace());
    case Kind::json: return raw(value.raw_json_token().data(), Access::text(*static_cast<Json*>(p)), depth);
    case Kind::optional:
      if ((flags & or_list) != 0 && value.raw_json_token().front() == '[') {
        return element_of_list(value, p, type, depth);
      }
      return element(value, type.holder->open(p, 0), *type.inner, depth, flags);
    case Kind::object: {
      if (value.raw_json_token().front() != '{') return misfit("expected object");
      ondemand::object object;
      if (value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
      return this->object(object, p, *type.object, depth, flags);
    }
    case Kind::floats: return floats(value, *static_cast<std::vector<float>*>(p));
    case Kind::array:
      if ((flags & or_one) != 0 && value.raw_json_token().front() == '{') {
        return only_element(value, p, type, depth);
      }
      return array(value, p, type, depth);
    case Kind::dictionary: return dictionary(value, p, type, depth);
    case Kind::either: return either(value, p, type, depth, flags);
    case Kind::tagged: return tagged(value, p, type, depth);
    default: return Outcome::malformed;  // leaves, which were handled by `value`
  }
}

namespace {

/// Whether a value that begins with this token is an empty string, list or object.
bool looks_empty(std::string_view token) noexcept {
  const char* const next = token.data() + token.size();
  switch (token.front()) {
    case '"': return token[1] == '"';
    case '[': return *next == ']';
    case '{': return *next == '}';
    default: return false;
  }
}

/// Whether an empty value of this kind is not written, so that `extra` must record that one was there.
bool is_bare(Kind kind) noexcept {
  return kind == Kind::string || kind == Kind::floats || kind == Kind::array || kind == Kind::dictionary ||
         kind == Kind::either;
}

}  // namespace

unsigned Walk::find(const Object& table, std::string_view key, const Name& name, bool& broken) {
  const unsigned found = table.index.find(name, table.entries);
  if (found != unknown || std::memchr(key.data(), '\\', key.size()) == nullptr) return found;
  std::string plain;
  broken = !append_unescaped(plain, key);
  return table.index.find(std::string_view(plain), table.entries);
}

/// Reads a member that the table has; if the struct cannot hold its value, it is kept as text.
[[gnu::always_inline]] inline Outcome Walk::member(ondemand::field& field, std::string_view token,
                                                   unsigned index, Progress& progress, int depth) {
  auto& [base, table, seen, aliased, remembered, kept] = progress;
  const Entry& entry = table.entries[index];
  std::uint64_t bit = std::uint64_t{1} << index;
  const bool second_spelling = (entry.flags & alias) != 0;
  if (second_spelling) [[unlikely]] {
    bit >>= 1U;
  }
  if (((seen | remembered) & bit) != 0) [[unlikely]] {
    spoil_stencil();  // one of the two has no effect
    if (second_spelling && (seen & bit) != 0) return stray(field, token, progress, depth);
    if ((remembered & bit) != 0) {  // the last of several members with the same name counts
      forget(progress.extra(), kept, table.entries[second_spelling ? index - 1 : index].name.view());
      remembered &= ~bit;
    }
  }
  bool is_kept = false;
  switch (value(field.value(), token, base + entry.offset, *entry.type, entry.flags, depth)) {
    case Outcome::taken:
      seen |= bit;
      if (second_spelling) [[unlikely]] {
        aliased |= bit;
      }
      is_kept = looks_empty(token) && (entry.flags & keep_empty) == 0 && is_bare(entry.type->kind);
      break;
    case Outcome::absent: seen &= ~bit | aliased; break;
    case Outcome::misfit:
      if (reading_ == Reading::strict || (entry.flags & (required | structure)) != 0) {
        return inside(".", entry.name.view(), Outcome::misfit);
      }
      path_.clear();
      seen &= ~bit;
      is_kept = true;
      break;
    case Outcome::malformed: return inside(".", entry.name.view(), Outcome::malformed);
  }
  if (!is_kept) [[likely]] {
    return Outcome::taken;
  }
  if (!second_spelling) remembered |= bit;
  return stray(field, token, progress, depth);
}

/// Keeps a member as text, in `extra`; if it is the nested spelling, reads its members instead.
Outcome Walk::stray(ondemand::field& field, std::string_view token, Progress& progress, int depth) {
  const std::string_view key = raw_key(field, token.data());
  const Object& table = progress.table;
  if (!table.nest.empty() && key == table.nest && token.front() == '{') {
    return nest(field.value(), progress, depth);
  }
  return keep(progress.extra(), progress.kept, key, token.data(), depth);
}

[[gnu::always_inline]] inline Outcome Walk::members(ondemand::object& object, Progress& progress, int depth) {
  const Object& table = progress.table;
  unsigned expected = 0;  // members mostly have the order of the table
  ondemand::object_iterator item;
  ondemand::object_iterator end;
  if (object.begin().get(item) != simdjson::SUCCESS || object.end().get(end) != simdjson::SUCCESS) {
    return Outcome::malformed;
  }
  for (; item != end; ++item) {
    // The field is not copied out of its result: the copy would load in double words what was just written in
    // words, and such a load stalls for longer than the rest of a member takes.
    auto result = *item;
    if (result.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::field&& field = std::move(result).value_unsafe();
    const std::string_view token = field.value().raw_json_token();
    unsigned found = expected;
    if (expected >= table.count || !table.entries[expected].name.is_key_at(field.key().raw())) {
      const std::string_view key = raw_key(field, token.data());
      bool broken = false;
      found = find(table, key, Name::in_document(key.data(), key.size()), broken);
      if (broken) return Outcome::malformed;
      if (found == unknown && !table.tag.empty() && key == "type") continue;  // it selected the table
    }
    if (found != unknown) expected = found + 1;
    const Outcome outcome = found != unknown ? member(field, token, found, progress, depth + 1)
                                             : stray(field, token, progress, depth + 1);
    if (outcome != Outcome::taken) [[unlikely]] {
      return outcome;
    }
  }
  return Outcome::taken;
}

Outcome Walk::object(ondemand::object& object, void* p, const Object& table, int depth, Flag flags) {
  Progress progress{.base = static_cast<char*>(p), .table = table};
  const Outcome outcome = members(object, progress, depth);
  if (outcome != Outcome::taken) return outcome;
  auto& extra = progress.extra();
  if (extra.size() > progress.kept) shrink(extra, progress.kept, shelf_);
  return finish(progress.base, table, table.members & ~progress.seen,
                (flags & partial) == 0 ? table.required : 0);
}

/// Reads the object of the nested spelling: its members belong to the struct.
[[gnu::noinline, gnu::cold]] Outcome Walk::nest(ondemand::value& value, Progress& progress, int depth) {
  ondemand::object object;
  if (depth >= max_depth || value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
  const Outcome outcome = members(object, progress, depth);
  return outcome == Outcome::taken ? outcome : inside(".", progress.table.nest, outcome);
}

Outcome Walk::finish(char* base, const Object& table, std::uint64_t missing, std::uint64_t required) {
  const std::uint64_t lacking = missing & required;
  if (lacking != 0 && table.excuse == nullptr) return lacks(table, lacking);
  // Most members are absent optionals, also in the struct already.
  const std::uint64_t absent = missing & table.optionals;
  for (std::uint64_t left = absent; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if (!has_value(table, base, i)) continue;
    const Entry& entry = table.entries[i];
    reset(base + entry.offset, nullptr, *entry.type, shelf_);
  }
  missing &= ~absent;
  if (missing == 0 && lacking == 0) return Outcome::taken;
  const char* const fresh = static_cast<const char*>(table.fresh());
  for (; missing != 0; missing &= missing - 1) {
    const Entry& entry = table.entries[std::countr_zero(missing)];
    reset(base + entry.offset, fresh + entry.offset, *entry.type, shelf_);
  }
  return lacking == 0 || table.excuse(base) ? Outcome::taken : lacks(table, lacking);
}

[[gnu::noinline, gnu::cold]] Outcome Walk::lacks(const Object& table, std::uint64_t lacking) {
  path_.clear();
  return inside(".", table.entries[std::countr_zero(lacking)].name.view(), misfit("missing"));
}

}  // namespace inferwire::inline v0_1::json
