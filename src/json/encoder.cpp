// The encoder: appends a struct according to its table. Checks what it writes, since sent data cannot be
// recalled.
#include "base/decimal.hpp"
#include "json/access.hpp"
#include "json/codec.hpp"
#include "json/type.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

namespace inferwire::inline v0_1::json {
namespace {

class Writer {
 public:
  Writer(std::string& out, Spelling spelling) : out_(out), nested_(spelling == Spelling::nested) {}

  bool value(const void* p, const Type& type);
  /// `there`: the members that are `present`.
  bool object(const char* base, const Object& table, std::uint64_t there,
              std::span<const Override> overrides);
  Error error() &&;

 private:
  bool members(const char* base, const Object& table, std::uint64_t there, std::uint64_t chosen,
               std::span<const Override> overrides);
  bool array(const void* p, const Type& type);
  bool dictionary(const void* p, const Type& type);
  bool extra(const Extra& unknown, std::uint64_t there, const Object& table,
             std::span<const Override> overrides);
  bool string(std::string_view text);
  bool number(double number);
  bool floats(const std::vector<float>& numbers);
  bool json(std::string_view text);
  void integer(std::int64_t integer);

  void separate() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
  }
  void name(std::string_view name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }
  bool fail(std::string what) {
    detail_ = std::move(what);
    return false;
  }
  /// Adds a step to the path while returning from a failure.
  bool inside(std::string_view mark, std::string_view step) {
    path_.insert(0, step);
    path_.insert(0, mark);
    return false;
  }

  std::string& out_;
  bool nested_;
  std::string path_;  // the path of the error, built from its end
  std::string detail_;
};

template <class T>
const T& as(const void* p) noexcept {
  return *static_cast<const T*>(p);
}

/// Whether it is an optional without a value.
bool is_absent(const void* p, const Type& type) noexcept {
  return is_optional(type) && !as<bool>(static_cast<const char*>(p) + presence_in(type));
}

/// Whether a value is absent, empty or zero.
bool is_blank(const void* p, const Type& type) noexcept {
  switch (type.kind) {
    case Kind::string: return as<std::string>(p).empty();
    case Kind::integer: return as<std::int64_t>(p) == 0;
    case Kind::number: return as<double>(p) == 0;
    case Kind::boolean: return !as<bool>(p);
    case Kind::floats: return as<std::vector<float>>(p).empty();
    case Kind::array:
    case Kind::dictionary: return type.holder->view(p).size == 0;
    case Kind::either: {
      const Union& alternatives = *type.alternatives;
      const std::size_t active = alternatives.active(p);
      return active < alternatives.count &&
             is_blank(alternatives.view(p), *alternatives.alternatives[active].type);
    }
    default: return is_absent(p, type);
  }
}

/// Whether a string or a number has the value `fresh`.
bool is_as_new(const void* p, const void* fresh, Kind kind) noexcept {
  if (kind == Kind::string) return as<std::string>(p) == as<std::string>(fresh);
  return kind == Kind::number && as<double>(p) == as<double>(fresh);
}

/// The bit of the member that the table writes under `name`; 0 if it has none.
std::uint64_t bit_of(const Object& table, std::string_view name) noexcept {
  const auto found = table.index.find(name, table.entries);
  return found == Index::nothing ? 0 : table.members & (std::uint64_t{1} << found);
}

/// The members of the struct at `base` that must be written, by bit: all except absent optionals, empty plain
/// strings and lists, and members that are always written but were left blank because `extra` holds a value
/// that the decoder could not put there.
std::uint64_t present(const char* base, const Object& table) noexcept {
  std::uint64_t bits = table.members;
  const auto drop = [&bits](std::uint64_t candidates, auto is_left_out) {
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(candidates));
      bits &= ~(std::uint64_t{is_left_out(i)} << i);
    }
  };
  const auto place = [&](unsigned i) { return base + table.entries[i].offset; };
  drop(table.optionals, [&](unsigned i) { return !has_value(table, base, i); });
  drop(table.strings, [&](unsigned i) { return as<std::string>(place(i)).empty(); });
  drop(table.lists, [&](unsigned i) { return is_blank(place(i), *table.entries[i].type); });
  for (const Member& member : as<Extra>(base + table.extra_offset)) {
    const std::uint64_t bit = bit_of(table, member.name);
    if ((bits & bit) == 0) continue;
    const Entry& entry = table.entries[std::countr_zero(bit)];
    const char* const value = base + entry.offset;
    // A member that still has its default value counts as blank here, except a string if the value in `extra`
    // is empty itself.
    const auto text = trim(member.value.text());
    const bool is_empty_string = entry.type->kind == Kind::string && (text == "null" || is_empty_value(text));
    const bool is_default =
        !is_empty_string &&
        is_as_new(value, static_cast<const char*>(table.fresh()) + entry.offset, entry.type->kind);
    if (is_default || is_blank(value, *entry.type)) bits &= ~bit;
  }
  return bits;
}

std::size_t estimate(const void* p, const Type& type) noexcept;

/// The approximate number of bytes for the struct at `base`, whose members `there` are present: its text and
/// names. Text with escapes takes more, which costs only a copy.
std::size_t estimate(const char* base, const Object& table, std::uint64_t there) noexcept {
  std::size_t size = 2;
  for (; there != 0; there &= there - 1) {
    const Entry& entry = table.entries[std::countr_zero(there)];
    size += entry.name.size + 4 + estimate(base + entry.offset, *entry.type);
  }
  return size;
}

std::size_t estimate(const void* p, const Type& type) noexcept {
  constexpr std::size_t scalar = 16;
  switch (type.kind) {
    case Kind::floats: return as<std::vector<float>>(p).size() * scalar + 2;
    case Kind::string: return as<std::string>(p).size() + 2;
    case Kind::opt_string: return as<Optional<std::string>>(p)->size() + 2;
    case Kind::json: return as<Json>(p).text().size();
    case Kind::optional: return estimate(type.holder->view(p).data, *type.inner);
    case Kind::array:
    case Kind::dictionary: {
      const View view = type.holder->view(p);
      const char* element = static_cast<const char*>(view.data);
      std::size_t size = 2;
      for (std::size_t i = 0; i < view.size; ++i, element += type.holder->stride) {
        const void* const item = element + type.holder->value_offset;
        size += scalar + (is_absent(item, *type.inner) ? 0 : estimate(item, *type.inner));
      }
      return size;
    }
    case Kind::object: {
      const auto* const base = static_cast<const char*>(p);
      return estimate(base, *type.object, present(base, *type.object));
    }
    case Kind::either:
    case Kind::tagged: {
      const Union& alternatives = *type.alternatives;
      const std::size_t active = alternatives.active(p);
      if (active >= alternatives.count) return 0;
      return estimate(alternatives.view(p), *alternatives.alternatives[active].type);
    }
    default: return scalar;
  }
}

bool Writer::value(const void* p, const Type& type) {
  switch (type.kind) {
    case Kind::string: return string(as<std::string>(p));
    case Kind::opt_string: return string(*as<Optional<std::string>>(p));
    case Kind::integer: integer(as<std::int64_t>(p)); return true;
    case Kind::opt_integer: integer(*as<Optional<std::int64_t>>(p)); return true;
    case Kind::number: return number(as<double>(p));
    case Kind::opt_number: return number(*as<Optional<double>>(p));
    case Kind::boolean: out_ += as<bool>(p) ? "true" : "false"; return true;
    case Kind::opt_boolean: out_ += *as<Optional<bool>>(p) ? "true" : "false"; return true;
    case Kind::json: return json(as<Json>(p).text());
    case Kind::floats: return floats(as<std::vector<float>>(p));
    case Kind::optional: return value(type.holder->view(p).data, *type.inner);
    case Kind::object: {
      const auto* const base = static_cast<const char*>(p);
      return object(base, *type.object, present(base, *type.object), {});
    }
    case Kind::array: return array(p, type);
    case Kind::dictionary: return dictionary(p, type);
    case Kind::either:
    case Kind::tagged: {
      const Union& alternatives = *type.alternatives;
      const std::size_t active = alternatives.active(p);
      if (active >= alternatives.count) return fail("a variant without value");
      return value(alternatives.view(p), *alternatives.alternatives[active].type);
    }
  }
  return false;
}

const Override* find(std::span<const Override> overrides, std::string_view name) noexcept {
  for (const Override& candidate : overrides) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

bool Writer::object(const char* base, const Object& table, std::uint64_t there,
                    std::span<const Override> overrides) {
  out_ += '{';
  if (!table.tag.empty()) {
    name("type");
    string(table.tag);
  }
  const auto& unknown = *reinterpret_cast<const Extra*>(base + table.extra_offset);
  const std::uint64_t inside_nest = nested_ ? table.nested : 0;
  if (!members(base, table, there, ~inside_nest, overrides)) return false;
  if ((there & inside_nest) != 0) {
    name(table.nest);
    out_ += '{';
    if (!members(base, table, there, inside_nest, {})) return inside(".", table.nest);
    out_ += '}';
  }
  if (!extra(unknown, there, table, overrides)) return false;
  for (const Override& member : overrides) {
    if (member.json.empty()) continue;
    separate();
    if (!string(member.name)) return false;
    (out_ += ':') += member.json;
  }
  out_ += '}';
  return true;
}

/// Writes the members of `there`, and those written as null, that are in `chosen`.
bool Writer::members(const char* base, const Object& table, std::uint64_t there, std::uint64_t chosen,
                     std::span<const Override> overrides) {
  const auto& unknown = *reinterpret_cast<const Extra*>(base + table.extra_offset);
  for (std::uint64_t left = (there | table.nulls) & chosen; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    const Entry& entry = table.entries[i];
    if (!overrides.empty() && find(overrides, entry.name.view()) != nullptr) continue;
    if ((there >> i & 1U) == 0) {
      if (unknown.find(entry.name.view()) != nullptr) continue;
      name(entry.name.view());
      out_ += "null";
      continue;
    }
    name(entry.name.view());
    if (!value(base + entry.offset, *entry.type)) return inside(".", entry.name.view());
  }
  return true;
}

/// `there`: the members that were written by the table.
bool Writer::extra(const Extra& unknown, std::uint64_t there, const Object& table,
                   std::span<const Override> overrides) {
  for (const Member& member : unknown) {
    if (find(overrides, member.name) != nullptr || is_remark(member)) continue;
    const std::string_view text = trim(member.value.text());
    if ((there & bit_of(table, member.name)) != 0 || (!table.tag.empty() && member.name == "type")) {
      // A decoder keeps an explicit empty value in `extra`; a value set in the member later replaces it.
      if (text == "null" || is_empty_value(text)) continue;
      fail("given twice: as a member and in extra");
      return inside(".", member.name);
    }
    separate();
    if (!string(member.name)) return inside(".", "extra");
    out_ += ':';
    if (!json(text)) return inside(".", member.name);
  }
  return true;
}

bool Writer::array(const void* p, const Type& type) {
  const View view = type.holder->view(p);
  const char* element = static_cast<const char*>(view.data);
  out_ += '[';
  for (std::size_t i = 0; i < view.size; ++i, element += type.holder->stride) {
    if (i != 0) out_ += ',';
    if (is_absent(element, *type.inner)) {
      out_ += "null";
      continue;
    }
    if (!value(element, *type.inner)) return inside("[", std::to_string(i) + ']');
  }
  out_ += ']';
  return true;
}

bool Writer::dictionary(const void* p, const Type& type) {
  const View view = type.holder->view(p);
  const char* element = static_cast<const char*>(view.data);
  out_ += '{';
  for (std::size_t i = 0; i < view.size; ++i, element += type.holder->stride) {
    if (i != 0) out_ += ',';
    const auto& key = *reinterpret_cast<const std::string*>(element);
    if (!string(key)) return false;
    out_ += ':';
    const void* const item = element + type.holder->value_offset;
    if (is_absent(item, *type.inner)) {
      out_ += "null";
    } else if (!value(item, *type.inner)) {
      return inside(".", key);
    }
  }
  out_ += '}';
  return true;
}

bool Writer::string(std::string_view text) {
  if (append_quoted(out_, text)) return true;
  return fail("invalid UTF-8 at byte " + std::to_string(invalid_utf8(text)));
}

void Writer::integer(std::int64_t integer) {
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, integer).ptr);
}

bool Writer::number(double number) {
  if (!std::isfinite(number)) return fail("not a finite number");
  append_decimal(out_, number);
  return true;
}

bool Writer::floats(const std::vector<float>& numbers) {
  char digits[24];  // the shortest form that reads back as the same float
  out_ += '[';
  for (const float number : numbers) {
    if (out_.back() != '[') out_ += ',';
    if (!std::isfinite(number)) return fail("not a finite number");
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  out_ += ']';
  return true;
}

bool Writer::json(std::string_view text) {
  if (auto well_formed = check(text); !well_formed) {
    return fail("not well-formed JSON: " + std::move(well_formed).error().detail);
  }
  if (text.front() == '\xEF') return fail("byte order mark inside a document");
  out_ += text;
  return true;
}

Error Writer::error() && {
  Error error{.kind = ErrorKind::invalid_request,
              .detail = std::move(detail_),
              .path = path_.substr(path_.starts_with('.') ? 1 : 0)};
  // The path is used in messages, which must be UTF-8.
  if (invalid_utf8(error.path) != std::string_view::npos) error.path.clear();
  return error;
}

}  // namespace

Result<void> encode_any(std::string& out, const void* value, const Type& type,
                        std::span<const Override> overrides, Spelling spelling) {
  // Growing step by step would copy a long conversation twice; a sixteenth more leaves room for escapes.
  const auto reserve = [&out](std::size_t size) { out.reserve(out.size() + size + size / 16); };
  Writer writer(out, spelling);
  bool done = false;
  if (type.kind == Kind::object) {
    const auto* const base = static_cast<const char*>(value);
    const std::uint64_t there = present(base, *type.object);
    reserve(estimate(base, *type.object, there));
    done = writer.object(base, *type.object, there, overrides);
  } else {
    reserve(estimate(value, type));
    done = writer.value(value, type);
  }
  if (!done) return std::move(writer).error();
  return {};
}

}  // namespace inferwire::inline v0_1::json
