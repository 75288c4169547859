// The encoder: appends a struct as its table says. Checks what it writes, since what is sent cannot be taken
// back.
#include <charconv>
#include <cmath>
#include <string>

#include "json/access.hpp"
#include "json/codec.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {
namespace {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  bool value(const void* p, const Type& type);
  bool object(const void* p, const Object& table, std::span<const Override> overrides);
  Error error() &&;

 private:
  bool array(const void* p, const Type& type);
  bool dictionary(const void* p, const Type& type);
  bool extra(const char* base, const Object& table, std::span<const Override> overrides);
  bool string(const std::string& text);
  bool number(double number);
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
  /// Goes on failing, one step further out.
  bool inside(std::string_view mark, std::string_view step) {
    path_.insert(0, step);
    path_.insert(0, mark);
    return false;
  }

  std::string& out_;
  std::string path_;  // of the error, built from its end
  std::string detail_;
};

template <class T>
const T& as(const void* p) noexcept {
  return *static_cast<const T*>(p);
}

/// Whether there is nothing to write: an optional without value, and a plain string or list that is empty.
bool is_absent(const void* p, const Type& type, Flag flags) noexcept {
  switch (type.kind) {
    case Kind::string: return (flags & keep_empty) == 0 && as<std::string>(p).empty();
    case Kind::array:
    case Kind::dictionary: return (flags & keep_empty) == 0 && type.holder->view(p).size == 0;
    case Kind::opt_string: return !as<std::optional<std::string>>(p).has_value();
    case Kind::opt_integer: return !as<std::optional<std::int64_t>>(p).has_value();
    case Kind::opt_number: return !as<std::optional<double>>(p).has_value();
    case Kind::opt_boolean: return !as<std::optional<bool>>(p).has_value();
    case Kind::optional: return type.holder->view(p).size == 0;
    default: return false;
  }
}

/// About how many bytes the value will take: the text in it and its names. Text that needs escapes takes
/// more, which costs a copy and no more.
std::size_t estimate(const void* p, const Type& type) noexcept {
  constexpr std::size_t scalar = 16;
  switch (type.kind) {
    case Kind::string: return as<std::string>(p).size() + 2;
    case Kind::opt_string: return as<std::optional<std::string>>(p)->size() + 2;
    case Kind::json: return as<Json>(p).text().size();
    case Kind::optional: return estimate(type.holder->view(p).data, *type.inner);
    case Kind::array:
    case Kind::dictionary: {
      const View view = type.holder->view(p);
      const char* element = static_cast<const char*>(view.data);
      std::size_t size = 2;
      for (std::size_t i = 0; i < view.size; ++i, element += type.holder->stride) {
        size += estimate(element + type.holder->value_offset, *type.inner) + scalar;
      }
      return size;
    }
    case Kind::object: {
      std::size_t size = 2;
      for (unsigned i = 0; i < type.object->count; ++i) {
        const Entry& entry = type.object->entries[i];
        const void* const member = static_cast<const char*>(p) + entry.offset;
        if (is_absent(member, *entry.type, entry.flags)) continue;
        size += entry.name.size + 4 + estimate(member, *entry.type);
      }
      return size;
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
    case Kind::opt_string: return string(*as<std::optional<std::string>>(p));
    case Kind::integer: integer(as<std::int64_t>(p)); return true;
    case Kind::opt_integer: integer(*as<std::optional<std::int64_t>>(p)); return true;
    case Kind::number: return number(as<double>(p));
    case Kind::opt_number: return number(*as<std::optional<double>>(p));
    case Kind::boolean: out_ += as<bool>(p) ? "true" : "false"; return true;
    case Kind::opt_boolean: out_ += *as<std::optional<bool>>(p) ? "true" : "false"; return true;
    case Kind::json: return json(as<Json>(p).text());
    case Kind::optional: return value(type.holder->view(p).data, *type.inner);
    case Kind::object: return object(p, *type.object, {});
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

bool Writer::object(const void* p, const Object& table, std::span<const Override> overrides) {
  const char* const base = static_cast<const char*>(p);
  out_ += '{';
  if (!table.tag.empty()) {
    name("type");
    string(std::string(table.tag));
  }
  for (unsigned i = 0; i < table.count; ++i) {
    const Entry& entry = table.entries[i];
    if ((entry.flags & alias) != 0) continue;
    if (!overrides.empty() && find(overrides, entry.name.view()) != nullptr) continue;
    const void* const member = base + entry.offset;
    if (is_absent(member, *entry.type, entry.flags)) {
      const bool null = (entry.flags & emit_null) != 0;
      const auto& unknown = *reinterpret_cast<const Extra*>(base + table.extra_offset);
      if (null && unknown.find(entry.name.view()) == nullptr) {
        name(entry.name.view());
        out_ += "null";
      }
      continue;
    }
    name(entry.name.view());
    if (!value(member, *entry.type)) return inside(".", entry.name.view());
  }
  if (!extra(base, table, overrides)) return false;
  for (const Override& member : overrides) {
    if (member.json.empty()) continue;
    separate();
    string(std::string(member.name));
    out_ += ':';
    if (!json(member.json)) return inside(".", member.name);
  }
  out_ += '}';
  return true;
}

/// The member that the table writes under `name` from the struct at `base`.
const Entry* written(const char* base, const Object& table, std::string_view name) noexcept {
  for (unsigned i = 0; i < table.count; ++i) {
    const Entry& entry = table.entries[i];
    const bool candidate = (entry.flags & alias) == 0 && entry.name.view() == name;
    if (candidate && !is_absent(base + entry.offset, *entry.type, entry.flags)) return &entry;
  }
  return nullptr;
}

bool Writer::extra(const char* base, const Object& table, std::span<const Override> overrides) {
  for (const Member& member : *reinterpret_cast<const Extra*>(base + table.extra_offset)) {
    if (find(overrides, member.name) != nullptr) continue;
    const std::string_view text = trim(member.value.text());
    if (written(base, table, member.name) != nullptr || (!table.tag.empty() && member.name == "type")) {
      // A decoder keeps an explicit empty value in `extra`; it gives way to what was put in the member since.
      if (text == "null" || text == "[]" || text == "{}" || text == "\"\"") continue;
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
    if (!value(element + type.holder->value_offset, *type.inner)) return inside(".", key);
  }
  out_ += '}';
  return true;
}

bool Writer::string(const std::string& text) {
  if (append_quoted(out_, text)) return true;
  return fail("invalid UTF-8 at byte " + std::to_string(invalid_utf8(text)));
}

void Writer::integer(std::int64_t integer) {
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, integer).ptr);
}

bool Writer::number(double number) {
  if (!std::isfinite(number)) return fail("not a finite number");
  char digits[32];  // the shortest form that reads back as the same double
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
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
  Error error;
  error.kind = ErrorKind::invalid_request;
  error.path = path_.substr(path_.starts_with('.') ? 1 : 0);
  error.detail = std::move(detail_);
  // The path goes into messages: a name that is not UTF-8 would spoil them.
  if (invalid_utf8(error.path) != std::string_view::npos) error.path.clear();
  return error;
}

}  // namespace

Result<void> encode_any(std::string& out, const void* value, const Type& type,
                        std::span<const Override> overrides) {
  // Growing step by step would copy a long conversation twice; a sixteenth more leaves room for escapes.
  const std::size_t size = estimate(value, type);
  out.reserve(out.size() + size + size / 16);
  Writer writer(out);
  const bool done =
      type.kind == Kind::object ? writer.object(value, *type.object, overrides) : writer.value(value, type);
  if (!done) return std::move(writer).error();
  return {};
}

}  // namespace inferwire::inline v0_1::json
