// The decoder: one interpreter that walks a document by simdjson On-Demand and a type by its table.
//
// On-Demand checks only what is read. What makes the reading strict all the same:
//  - stage 1 checks UTF-8, control characters in strings and closed quotes for the whole document;
//  - scalars are taken from their token, and `followed_properly` sees to it that the token is a value's end;
//  - what is skipped or kept raw is walked over by the Scanner, whose extent On-Demand then skips;
//  - a value that turns out to be of the wrong type is left before On-Demand is asked for it, so On-Demand
//  itself
//    only ever reports broken documents, and such an error ends the walk: the iterator is dead after it.
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "json/access.hpp"
#include "json/base64.hpp"
#include "json/codec.hpp"
#include "json/reuse.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {

static_assert(padding >= simdjson::SIMDJSON_PADDING);

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t largest_kept_copy = std::size_t{1} << 20U;

/// What came of reading one value.
enum class Outcome : std::uint8_t {
  taken,
  absent,     // null
  misfit,     // of the wrong type or out of range; On-Demand may stand anywhere inside it
  malformed,  // not JSON: the walk is over
};

constexpr std::uint8_t shape_of(char first) noexcept {
  switch (first) {
    case '"': return string_shape;
    case '{': return object_shape;
    case '[': return list_shape;
    case 't':
    case 'f': return bool_shape;
    default: return number_shape;
  }
}

constexpr const char* expectation(const Type& type) noexcept {
  switch (type.kind) {
    case Kind::string:
    case Kind::opt_string: return "expected string";
    case Kind::integer:
    case Kind::opt_integer: return "expected integer";
    case Kind::number:
    case Kind::opt_number: return "expected number";
    case Kind::boolean:
    case Kind::opt_boolean: return "expected boolean";
    case Kind::array: return "expected array";
    case Kind::floats: return "expected array of numbers";
    case Kind::object:
    case Kind::dictionary: return "expected object";
    case Kind::optional: return expectation(*type.inner);
    case Kind::either: {
      const unsigned shapes = type.shapes;
      if (shapes == (string_shape | list_shape)) return "expected string or array";
      if (shapes == (string_shape | object_shape)) return "expected string or object";
      if (shapes == (list_shape | object_shape)) return "expected array or object";
      return "expected another type";
    }
    case Kind::json:
    case Kind::tagged: break;
  }
  return "expected a value";
}

/// What holds for one whole document.
class Walk {
 public:
  Walk(std::string_view text, Reading reading, Shelf& shelf)
      : end_(text.data() + text.size()), reading_(reading), shelf_(shelf) {}

  Outcome object(ondemand::object& object, void* p, const Object& table, int depth);
  Outcome element(ondemand::value& value, void* p, const Type& type, int depth);
  /// Which alternative the object at `from` is; `untyped` names it when the object has no `type`.
  unsigned choose(const char* from, const Union& alternatives, std::string_view untyped, int depth);

  const std::string& path() const noexcept { return path_; }
  const char* misfit() const noexcept { return misfit_; }

 private:
  Outcome value(ondemand::value& value, std::string_view token, void* p, const Type& type, Flag flags,
                int depth);
  /// What has been read of an object.
  struct Progress {
    std::uint64_t seen{};        // members that have a value
    std::uint64_t aliased{};     // members that have it from their second spelling
    std::uint64_t remembered{};  // members that `extra` says something about
    std::size_t kept{};          // members of `extra`
  };
  Outcome members(ondemand::object& object, char* base, const Object& table, Progress& progress, int depth);
  Outcome nest(ondemand::value& value, char* base, const Object& table, Progress& progress, int depth);
  Outcome finish(char* base, const Object& table, std::uint64_t missing);
  Outcome compound(ondemand::value& value, void* p, const Type& type, Flag flags, int depth);
  Outcome string(ondemand::value& value, std::string_view token, std::string& out);
  Outcome integer(ondemand::value& value, std::int64_t& out);
  Outcome number(ondemand::value& value, double& out);
  Outcome boolean(ondemand::value& value, bool& out);
  Outcome floats(ondemand::value& value, std::vector<float>& out);
  Outcome floats_in_base64(ondemand::value& value, std::vector<float>& out);
  Outcome array(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome absent_element(void* p, const Type& type, std::size_t index);
  Outcome element_of_list(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome only_element(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome dictionary(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome either(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome tagged(ondemand::value& value, void* p, const Type& type, int depth);
  Outcome raw(const char* from, std::string& out, int depth);
  Outcome keep(Extra& extra, std::size_t& kept, std::string_view raw_key, const char* from, int depth);

  static constexpr unsigned unknown = Index::nothing;
  unsigned find(const Object& table, std::string_view key, const Name& name, bool& broken);
  std::uint8_t shape_of_first(const char* list) const noexcept;
  bool find_tag(const char* object, std::string& tag, int depth) const;
  bool unescape(std::string_view raw, std::string& out);

  /// Hands a failure one step further out. Out of the way of what is done for every member.
  [[gnu::noinline, gnu::cold]] Outcome inside(std::string_view mark, std::string_view step, Outcome outcome) {
    path_.insert(0, step);
    path_.insert(0, mark);
    return outcome;
  }
  Outcome misfit(const char* what) noexcept {
    misfit_ = what;
    return Outcome::misfit;
  }

  const char* end_;
  Reading reading_;
  Shelf& shelf_;
  std::string path_;  // of the error, built from its end while the walk unwinds
  const char* misfit_ = nullptr;
};

/// Whether a scalar's token, spaces behind it included, is followed by what may follow a value.
bool followed_properly(std::string_view token) noexcept {
  const char next = token.data()[token.size()];
  return next == ',' || next == '}' || next == ']';
}

std::string_view without_mark(std::string_view text) noexcept {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

std::string_view without_space(std::string_view token) noexcept {
  while (!token.empty() && is_space(token.back())) token.remove_suffix(1);
  return token;
}

/// The key between its quotes, as written. On-Demand knows where it begins; it ends before the colon that
/// leads to the value.
std::string_view raw_key(ondemand::field& field, const char* value) noexcept {
  const char* const begin = field.key().raw();
  const char* end = value - 1;
  while (*end != ':') --end;
  do --end;
  while (*end != '"');
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool Walk::unescape(std::string_view raw, std::string& out) {
  out.clear();
  return append_unescaped(out, raw);
}

inline Outcome Walk::string(ondemand::value& value, std::string_view token, std::string& out) {
  if (token.front() != '"') return misfit("expected string");
  // Taking it as On-Demand sees it costs less than having it skipped.
  ondemand::raw_json_string taken;
  if (value.get_raw_json_string().get(taken) != simdjson::SUCCESS) return Outcome::malformed;
  token = without_space(token);
  if (token.size() < 2 || token.back() != '"') return Outcome::malformed;
  const std::string_view inside = token.substr(1, token.size() - 2);
  if (std::memchr(inside.data(), '\\', inside.size()) == nullptr) {
    shelf_.assign(out, inside);
    return Outcome::taken;
  }
  return unescape(inside, out) ? Outcome::taken : Outcome::malformed;
}

Outcome Walk::integer(ondemand::value& value, std::int64_t& out) {
  if (value.get_int64().get(out) == simdjson::SUCCESS) return Outcome::taken;
  const std::string_view token = value.raw_json_token();
  if (shape_of(token.front()) != number_shape) return misfit("expected integer");
  const std::string_view digits = without_space(token);
  Scanner scanner(digits);
  if (!followed_properly(token) || !scanner.value() || !scanner.at_end()) return Outcome::malformed;
  const auto integer = integer_of(digits);  // 1.0e2 is one too
  if (!integer) return misfit("expected integer");
  out = *integer;
  return Outcome::taken;
}

Outcome Walk::number(ondemand::value& value, double& out) {
  if (value.get_double().get(out) == simdjson::SUCCESS) return Outcome::taken;
  const std::string_view token = value.raw_json_token();
  if (shape_of(token.front()) != number_shape) return misfit("expected number");
  const std::string_view digits = without_space(token);
  Scanner scanner(digits);
  if (!followed_properly(token) || !scanner.value() || !scanner.at_end()) return Outcome::malformed;
  const auto number = number_of(digits);
  if (!number) return misfit("expected number");
  out = *number;
  return Outcome::taken;
}

Outcome Walk::boolean(ondemand::value& value, bool& out) {
  const std::string_view token = value.raw_json_token();
  if (shape_of(token.front()) != bool_shape) return misfit("expected boolean");
  if (value.get_bool().get(out) != simdjson::SUCCESS) return Outcome::malformed;
  return Outcome::taken;
}

Outcome Walk::raw(const char* from, std::string& out, int depth) {
  Scanner scanner({from, static_cast<std::size_t>(end_ - from)}, depth);
  if (!scanner.value()) return Outcome::malformed;
  shelf_.assign(out, {from, scanner.offset()});
  // On-Demand skips by counting brackets; it may only do so where the value really ends.
  scanner.space();
  const bool proper = scanner.take(',') || scanner.take('}') || scanner.take(']');
  return proper ? Outcome::taken : Outcome::malformed;
}

Outcome Walk::keep(Extra& extra, std::size_t& kept, std::string_view key, const char* from, int depth) {
  auto& members = Access::members(extra);
  if (kept == members.size()) members.emplace_back();
  Member& member = members[kept++];
  if (std::memchr(key.data(), '\\', key.size()) == nullptr) {
    shelf_.assign(member.name, key);
  } else if (!unescape(key, member.name)) {
    return Outcome::malformed;
  }
  return raw(from, Access::text(member.value), depth);
}

/// Takes what `extra` has under `name` out of its first `kept` members.
void forget(Extra& extra, std::size_t& kept, std::string_view name) {
  auto& members = Access::members(extra);
  const auto end = members.begin() + static_cast<std::ptrdiff_t>(kept);
  const auto found =
      std::find_if(members.begin(), end, [name](const Member& member) { return member.name == name; });
  if (found == end) return;
  std::rotate(found, found + 1, end);  // its memory may serve again
  --kept;
}

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
    auto& text = *static_cast<std::optional<std::string>*>(p);
    out = text ? &*text : &text.emplace();
  }
  if ((flags & (object_text | or_number)) != 0) [[unlikely]] {
    const bool is_object = token.front() == '{';
    const bool is_number = shape_of(token.front()) == number_shape;
    if (is_object ? (flags & object_text) != 0 : is_number && (flags & or_number) != 0) {
      return raw(token.data(), *out, depth);
    }
  }
  return string(value, token, *out);
}

Outcome Walk::element(ondemand::value& value, void* p, const Type& type, int depth) {
  return this->value(value, value.raw_json_token(), p, type, none, depth);
}

Outcome Walk::compound(ondemand::value& value, void* p, const Type& type, Flag flags, int depth) {
  switch (type.kind) {
    case Kind::integer: return integer(value, *static_cast<std::int64_t*>(p));
    case Kind::opt_integer: return integer(value, static_cast<std::optional<std::int64_t>*>(p)->emplace());
    case Kind::number: return number(value, *static_cast<double*>(p));
    case Kind::opt_number: return number(value, static_cast<std::optional<double>*>(p)->emplace());
    case Kind::boolean: return boolean(value, *static_cast<bool*>(p));
    case Kind::opt_boolean: return boolean(value, static_cast<std::optional<bool>*>(p)->emplace());
    case Kind::json: return raw(value.raw_json_token().data(), Access::text(*static_cast<Json*>(p)), depth);
    case Kind::optional:
      if ((flags & or_list) != 0 && value.raw_json_token().front() == '[') {
        return element_of_list(value, p, type, depth);
      }
      return element(value, type.holder->open(p, 0), *type.inner, depth);
    case Kind::object: {
      if (value.raw_json_token().front() != '{') return misfit("expected object");
      ondemand::object object;
      if (value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
      return this->object(object, p, *type.object, depth);
    }
    case Kind::floats: return floats(value, *static_cast<std::vector<float>*>(p));
    case Kind::array:
      if ((flags & or_one) != 0 && value.raw_json_token().front() == '{') {
        return only_element(value, p, type, depth);
      }
      return array(value, p, type, depth);
    case Kind::dictionary: return dictionary(value, p, type, depth);
    case Kind::either: return either(value, p, type, depth);
    case Kind::tagged: return tagged(value, p, type, depth);
    default: return Outcome::malformed;  // leaves, which `value` has taken
  }
}

/// Thousands of numbers: they go straight into an array that has grown before, and from there into a row of
/// just their number.
Outcome Walk::floats(ondemand::value& value, std::vector<float>& out) {
  const std::string_view token = value.raw_json_token();
  if (token.front() == '"') return floats_in_base64(value, out);
  if (token.front() != '[') return misfit("expected array of numbers or base64");
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  std::vector<float>& numbers = shelf_.floats;
  numbers.clear();
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS) return Outcome::malformed;
    double number = 0;
    Outcome outcome = Outcome::taken;
    if (element.get_double().get(number) != simdjson::SUCCESS) outcome = this->number(element, number);
    const float narrow = static_cast<float>(number);
    if (outcome == Outcome::taken && !std::isfinite(narrow)) outcome = misfit("a number no float can hold");
    if (outcome != Outcome::taken) [[unlikely]] {
      return inside("[", std::to_string(numbers.size()) + ']', outcome);
    }
    numbers.push_back(narrow);
  }
  out.assign(numbers.begin(), numbers.end());
  return Outcome::taken;
}

Outcome Walk::floats_in_base64(ondemand::value& value, std::vector<float>& out) {
  ondemand::raw_json_string taken;
  std::string_view token = value.raw_json_token();
  if (value.get_raw_json_string().get(taken) != simdjson::SUCCESS) return Outcome::malformed;
  token = without_space(token);
  if (token.size() < 2 || token.back() != '"') return Outcome::malformed;
  std::string_view digits = token.substr(1, token.size() - 2);
  if (std::memchr(digits.data(), '\\', digits.size()) != nullptr) {  // a slash may be written as \/
    if (!unescape(digits, shelf_.scratch)) return Outcome::malformed;
    digits = shelf_.scratch;
  }
  static_assert(std::endian::native == std::endian::little && sizeof(float) == 4);
  const auto size = base64_size(digits);
  if (!size || *size % sizeof(float) != 0) return misfit("expected floats in base64");
  out.resize(*size / sizeof(float));
  auto* const bytes = reinterpret_cast<unsigned char*>(out.data());
  return base64_decode(digits, bytes) ? Outcome::taken : misfit("expected floats in base64");
}

Outcome Walk::only_element(ondemand::value& value, void* p, const Type& type, int depth) {
  const Outcome outcome = element(value, type.holder->open(p, 0), *type.inner, depth);
  if (outcome == Outcome::taken) shrink(p, type, 1, shelf_);
  return outcome;
}

/// The only element of a list, which may have none.
Outcome Walk::element_of_list(ondemand::value& value, void* p, const Type& type, int depth) {
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  Outcome outcome = Outcome::absent;
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS) return Outcome::malformed;
    if (outcome != Outcome::absent) return misfit("expected a list of one");
    outcome = this->element(element, type.holder->open(p, 0), *type.inner, depth + 1);
    if (outcome != Outcome::taken) return outcome;
  }
  return outcome;
}

/// Whether null stands for an absent value of this kind.
bool is_optional(Kind kind) noexcept {
  switch (kind) {
    case Kind::opt_string:
    case Kind::opt_integer:
    case Kind::opt_number:
    case Kind::opt_boolean:
    case Kind::optional: return true;
    default: return false;
  }
}

Outcome Walk::array(ondemand::value& value, void* p, const Type& type, int depth) {
  if (value.raw_json_token().front() != '[') return misfit("expected array");
  ondemand::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) return Outcome::malformed;
  std::size_t size = 0;
  for (auto item : array) {
    if (item.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::value&& element = std::move(item).value_unsafe();
    Outcome outcome = this->element(element, type.holder->open(p, size), *type.inner, depth + 1);
    if (outcome == Outcome::absent) outcome = absent_element(p, type, size);
    if (outcome != Outcome::taken) {
      return inside("[", std::to_string(size) + ']', outcome);
    }
    ++size;
  }
  shrink(p, type, size, shelf_);
  return Outcome::taken;
}

/// A null in a list or a dictionary.
Outcome Walk::absent_element(void* p, const Type& type, std::size_t index) {
  if (!is_optional(type.inner->kind)) return misfit(expectation(*type.inner));
  char* const element = static_cast<char*>(type.holder->open(p, index));
  reset(element + type.holder->value_offset, nullptr, *type.inner, shelf_);
  return Outcome::taken;
}

Outcome Walk::dictionary(ondemand::value& value, void* p, const Type& type, int depth) {
  if (value.raw_json_token().front() != '{') return misfit("expected object");
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
  std::size_t size = 0;
  for (auto item : object) {
    if (item.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::field&& field = std::move(item).value_unsafe();
    char* const element = static_cast<char*>(type.holder->open(p, size));
    std::string& name = *reinterpret_cast<std::string*>(element);
    if (!unescape(raw_key(field, field.value().raw_json_token().data()), name)) return Outcome::malformed;
    Outcome outcome =
        this->element(field.value(), element + type.holder->value_offset, *type.inner, depth + 1);
    if (outcome == Outcome::absent) outcome = absent_element(p, type, size);
    if (outcome != Outcome::taken) {
      return inside(".", name, outcome);
    }
    ++size;
  }
  shrink(p, type, size, shelf_);
  return Outcome::taken;
}

/// The kind of the first element of the list at `list`; every kind when there is none.
std::uint8_t Walk::shape_of_first(const char* list) const noexcept {
  const char* p = list + 1;
  while (p != end_ && is_space(*p)) ++p;
  return p == end_ || *p == ']' ? 31 : shape_of(*p);
}

Outcome Walk::either(ondemand::value& value, void* p, const Type& type, int depth) {
  const char* const from = value.raw_json_token().data();
  const std::uint8_t shape = shape_of(*from);
  const Union& alternatives = *type.alternatives;
  unsigned choice = alternatives.count;
  for (unsigned i = 0; i < alternatives.count; ++i) {
    const Type& candidate = *alternatives.alternatives[i].type;
    if ((candidate.shapes & shape) == 0) continue;
    const bool fits = shape != list_shape || (element_shapes(candidate) & shape_of_first(from)) != 0;
    if (fits || choice == alternatives.count)
      choice = i;  // a list that fits none: the first says what is wrong
    if (fits) break;
  }
  if (choice == alternatives.count) return misfit(expectation(type));
  if (alternatives.active(p) != choice) salvage(p, type, shelf_);
  const Alternative& alternative = alternatives.alternatives[choice];
  return element(value, alternative.open(p), *alternative.type, depth);
}

/// Looks for the `type` member of the object at `object`; usually it comes first.
bool Walk::find_tag(const char* object, std::string& tag, int depth) const {
  Scanner scanner({object, static_cast<std::size_t>(end_ - object)}, depth + 1);
  if (!scanner.take('{')) return false;
  do {
    scanner.space();
    const char* const key = scanner.position();
    bool escaped = false;
    if (!scanner.string(escaped)) return false;
    const std::string_view name(key, static_cast<std::size_t>(scanner.position() - key));
    scanner.space();
    if (!scanner.take(':')) return false;
    scanner.space();
    const char* const from = scanner.position();
    if (name == "\"type\"") {
      if (scanner.at_end() || *from != '"' || !scanner.string(escaped)) return false;
      tag.clear();
      return append_unescaped(tag, {from + 1, static_cast<std::size_t>(scanner.position() - from) - 2});
    }
    if (!scanner.value()) return false;
    scanner.space();
  } while (scanner.take(','));
  return false;
}

unsigned Walk::choose(const char* from, const Union& alternatives, std::string_view untyped, int depth) {
  const unsigned unknown_one = alternatives.count - 1;
  if (*from != '{') return unknown_one;
  std::string& tag = shelf_.scratch;
  if (!find_tag(from, tag, depth)) {
    if (untyped.empty()) return alternatives.untagged;
    tag = untyped;
  }
  const std::size_t size = tag.size();
  tag.resize(size + 8);  // Name reads eight bytes at least
  const Name name = Name::in_document(tag.data(), size);
  const std::uint8_t found = alternatives.index.find(name);
  const bool known = found != Index::nothing && alternatives.tags[found].name.same(name);
  return known ? alternatives.tags[found].alternative : unknown_one;
}

Outcome Walk::tagged(ondemand::value& value, void* p, const Type& type, int depth) {
  const Union& alternatives = *type.alternatives;
  const unsigned choice = choose(value.raw_json_token().data(), alternatives, {}, depth);
  if (alternatives.active(p) != choice) salvage(p, type, shelf_);
  const Alternative& alternative = alternatives.alternatives[choice];
  return element(value, alternative.open(p), *alternative.type, depth);
}

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

/// Whether writing leaves out an empty value of this kind, so that `extra` has to remember one that was
/// there.
bool is_bare(Kind kind) noexcept {
  return kind == Kind::string || kind == Kind::floats || kind == Kind::array || kind == Kind::dictionary ||
         kind == Kind::either;
}

unsigned Walk::find(const Object& table, std::string_view key, const Name& name, bool& broken) {
  const auto known = [&table](const Name& wanted) -> unsigned {
    const std::uint8_t slot = table.index.find(wanted);
    return slot != Index::nothing && table.entries[slot].name.same(wanted) ? slot : unknown;
  };
  const unsigned found = known(name);
  if (found != unknown || std::memchr(key.data(), '\\', key.size()) == nullptr) return found;
  std::string plain;
  broken = !append_unescaped(plain, key);
  const std::size_t size = plain.size();
  plain.resize(size + 8);  // Name reads eight bytes at least
  return known(Name::in_document(plain.data(), size));
}

[[gnu::always_inline]] inline Outcome Walk::members(ondemand::object& object, char* base, const Object& table,
                                                    Progress& progress, int depth) {
  auto& [seen, aliased, remembered, kept] = progress;
  auto& extra = *reinterpret_cast<Extra*>(base + table.extra_offset);
  unsigned expected = 0;  // members mostly come in the order of the table
  ondemand::object_iterator item;
  ondemand::object_iterator end;
  if (object.begin().get(item) != simdjson::SUCCESS || object.end().get(end) != simdjson::SUCCESS) {
    return Outcome::malformed;
  }
  for (; item != end; ++item) {
    // Not copied out of its result: what was just written by words would be read by pairs of words, and such
    // a load waits for longer than all the rest of a member takes.
    auto result = *item;
    if (result.error() != simdjson::SUCCESS) return Outcome::malformed;
    ondemand::field&& field = std::move(result).value_unsafe();
    const std::string_view token = field.value().raw_json_token();
    unsigned found = expected;
    bool keep_raw = false;
    if (expected >= table.count || !table.entries[expected].name.is_key_at(field.key().raw())) {
      const std::string_view key = raw_key(field, token.data());
      bool broken = false;
      found = find(table, key, Name::in_document(key.data(), key.size()), broken);
      if (broken) return Outcome::malformed;
      keep_raw = found == unknown && (table.tag.empty() || key != "type");
    }
    if (found != unknown) {
      const Entry& entry = table.entries[found];
      std::uint64_t bit = std::uint64_t{1} << found;
      expected = found + 1;
      const bool second_spelling = (entry.flags & alias) != 0;
      if (second_spelling) [[unlikely]] {
        bit >>= 1U;
        keep_raw = (seen & bit) != 0;
      }
      if ((remembered & bit) != 0 && !keep_raw) [[unlikely]] {  // of a name that comes twice the last counts
        forget(extra, kept, entry.name.view());
        remembered &= ~bit;
      }
      if (!keep_raw) {
        switch (value(field.value(), token, base + entry.offset, *entry.type, entry.flags, depth + 1)) {
          case Outcome::taken:
            seen |= bit;
            if (second_spelling) [[unlikely]] {
              aliased |= bit;
            }
            keep_raw = looks_empty(token) && (entry.flags & keep_empty) == 0 && is_bare(entry.type->kind);
            break;
          case Outcome::absent: seen &= ~bit | aliased; break;
          case Outcome::misfit:
            if (reading_ == Reading::strict || (entry.flags & (required | structure)) != 0) {
              return inside(".", entry.name.view(), Outcome::misfit);
            }
            path_.clear();
            seen &= ~bit;
            keep_raw = true;
            break;
          case Outcome::malformed: return inside(".", entry.name.view(), Outcome::malformed);
        }
      }
      if (keep_raw && !second_spelling) remembered |= bit;
    }
    if (keep_raw) [[unlikely]] {
      const std::string_view key = raw_key(field, token.data());
      if (!table.nest.empty() && key == table.nest && token.front() == '{') {
        const Outcome outcome = nest(field.value(), base, table, progress, depth + 1);
        if (outcome != Outcome::taken) return outcome;
        continue;
      }
      if (keep(extra, kept, key, token.data(), depth + 1) != Outcome::taken) return Outcome::malformed;
    }
  }
  return Outcome::taken;
}

Outcome Walk::object(ondemand::object& object, void* p, const Object& table, int depth) {
  char* const base = static_cast<char*>(p);
  Progress progress;
  const Outcome outcome = members(object, base, table, progress, depth);
  if (outcome != Outcome::taken) return outcome;
  auto& extra = *reinterpret_cast<Extra*>(base + table.extra_offset);
  if (extra.size() > progress.kept) shrink(extra, progress.kept, shelf_);
  return finish(base, table, table.members & ~progress.seen);
}

/// The object of the nested spelling: its members are the struct's own.
[[gnu::noinline, gnu::cold]] Outcome Walk::nest(ondemand::value& value, char* base, const Object& table,
                                                Progress& progress, int depth) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return Outcome::malformed;
  const Outcome outcome = members(object, base, table, progress, depth);
  return outcome == Outcome::taken ? outcome : inside(".", table.nest, outcome);
}

Outcome Walk::finish(char* base, const Object& table, std::uint64_t missing) {
  if ((missing & table.required) != 0) {
    path_.clear();
    return inside(".", table.entries[std::countr_zero(missing & table.required)].name.view(),
                  misfit("missing"));
  }
  // Most members are absent most of the time, and empty already.
  for (std::uint64_t left = missing & table.opt_strings; left != 0; left &= left - 1) {
    const Entry& entry = table.entries[std::countr_zero(left)];
    auto& text = *reinterpret_cast<std::optional<std::string>*>(base + entry.offset);
    if (!text) continue;
    shelf_.keep(*text);
    text.reset();
  }
  for (std::uint64_t left = missing & table.holders; left != 0; left &= left - 1) {
    const Entry& entry = table.entries[std::countr_zero(left)];
    void* const member = base + entry.offset;
    if (entry.type->holder->view(member).size != 0) shrink(member, *entry.type, 0, shelf_);
  }
  missing &= ~(table.opt_strings | table.holders);
  if (missing == 0) return Outcome::taken;
  const char* const fresh = static_cast<const char*>(table.fresh());
  for (; missing != 0; missing &= missing - 1) {
    const Entry& entry = table.entries[std::countr_zero(missing)];
    reset(base + entry.offset, fresh + entry.offset, *entry.type, shelf_);
  }
  return Outcome::taken;
}

}  // namespace

struct Decoder::State {
  ondemand::parser parser;
  Shelf shelf;
  std::string copy;  // of text that came without padding
};

Decoder::Decoder() : state_(std::make_unique<State>()) {}
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

bool Decoder::decode_any(std::string_view text, void* out, const Type& type, Reading reading, Error& error,
                         std::string_view untyped) {
  const std::string_view json = without_mark(text);
  Walk walk(json, reading, state_->shelf);
  const Type* shape = &type;
  if (type.kind == Kind::tagged) {
    const std::string_view trimmed = trim(json);
    const unsigned choice = trimmed.empty() ? type.alternatives->count - 1
                                            : walk.choose(trimmed.data(), *type.alternatives, untyped, 0);
    const Alternative& alternative = type.alternatives->alternatives[choice];
    out = alternative.open(out);
    shape = alternative.type;
    if (shape->kind == Kind::json) return decode_unknown(text, *static_cast<Json*>(out), error);
  }
  Outcome outcome = Outcome::malformed;
  ondemand::document document;
  ondemand::object object;
  const simdjson::padded_string_view padded(json.data(), json.size(), json.size() + padding);
  if (state_->parser.iterate(padded).get(document) == simdjson::SUCCESS) {
    bool begun = false;
    if (shape->kind == Kind::object) {
      begun = document.get_object().get(object) == simdjson::SUCCESS;
      if (begun) outcome = walk.object(object, out, *shape->object, 0);
    } else {
      ondemand::value value;  // a list, or one of several types; not a scalar
      begun = document.get_value().get(value) == simdjson::SUCCESS;
      if (begun) outcome = walk.element(value, out, type, 0);
    }
    if (begun) {
      const bool whole = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
      if (outcome == Outcome::taken && !whole) outcome = Outcome::malformed;
    }
  }
  if (outcome == Outcome::taken) [[likely]] {
    return true;
  }
  error = Error{};
  error.kind = ErrorKind::decode;
  error.path = walk.path().substr(walk.path().starts_with('.') ? 1 : 0);
  // The Scanner tells what is wrong with malformed text, and where; text that it approves of is of the wrong
  // type.
  if (auto well_formed = check(text); !well_formed) {
    error.detail = std::move(well_formed).error().detail;
  } else {
    error.detail = outcome == Outcome::misfit ? walk.misfit() : expectation(*shape);
  }
  return false;
}

bool Decoder::decode_unknown(std::string_view text, Json& out, Error& error) {
  const std::string_view json = trim(without_mark(text));
  auto well_formed = check(text);
  if (well_formed && json.front() == '{') {
    state_->shelf.assign(Access::text(out), json);
    return true;
  }
  error = Error{};
  error.kind = ErrorKind::decode;
  error.detail = well_formed ? "expected object" : std::move(well_formed).error().detail;
  return false;
}

bool Decoder::decode_copy(std::string_view text, void* out, const Type& type, Reading reading, Error& error) {
  std::string& copy = state_->copy;
  copy.assign(text);
  copy.append(padding, ' ');
  const bool decoded = decode_any(std::string_view(copy).substr(0, text.size()), out, type, reading, error);
  if (copy.capacity() > largest_kept_copy) std::string().swap(copy);
  return decoded;
}

Decoder& thread_decoder() {
  static thread_local Decoder decoder;
  return decoder;
}

}  // namespace inferwire::inline v0_1::json
