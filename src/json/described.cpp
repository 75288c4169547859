// Described structs: their schemas, and the way from and to JSON.
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

namespace inferwire::inline v0_1::detail {
namespace {

using Kind = Shape::Kind;

std::string print(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// Objects and lists, one behind the other.
class SchemaText {
 public:
  std::string take() && { return std::move(text_); }

  void add(const Shape& shape, const MemberFacts& facts, const std::string& pointer) {
    const bool nullable = shape.kind == Kind::optional;
    const Shape& value = nullable ? *shape.inner : shape;
    text_ += '{';
    first_ = true;
    if (!facts.description.empty()) string("description", facts.description);
    if (const auto* const above = find(value)) {
      reference(above->pointer, nullable);
    } else {
      type(value, nullable);
      bounds(facts);
      below(value, nullable, pointer);
    }
    text_ += '}';
    first_ = false;
  }

 private:
  struct Above {
    const Shape* shape{};
    std::string pointer{};
  };

  const Above* find(const Shape& shape) const noexcept {
    for (const Above& above : above_) {
      if (above.shape == &shape) return &above;
    }
    return nullptr;
  }

  void name(std::string_view name) {
    if (!std::exchange(first_, false)) text_ += ',';
    json::append_string(text_, name);
    text_ += ':';
  }
  void string(std::string_view key, std::string_view value) {
    name(key);
    json::append_string(text_, value);
  }
  void number(std::string_view key, const std::string& digits) {
    name(key);
    text_ += digits;
  }

  /// A struct that holds its own kind is described where it was first met.
  void reference(const std::string& pointer, bool nullable) {
    if (nullable) {
      name("anyOf");
      text_ += "[{";
      first_ = true;
    }
    string("$ref", pointer);
    if (nullable) text_ += R"(},{"type":"null"}])";
  }

  void type(const Shape& shape, bool nullable) {
    static constexpr std::string_view words[] = {"boolean", "integer", "number", "string", "",
                                                 "string",  "object",  "array",  ""};
    const auto word = words[static_cast<std::size_t>(shape.kind)];
    if (word.empty()) return;  // anything
    name("type");
    if (nullable) text_ += '[';
    json::append_string(text_, word);
    if (nullable) text_ += R"(,"null"])";
  }

  void bounds(const MemberFacts& facts) {
    if (facts.minimum) number("minimum", print(*facts.minimum));
    if (facts.maximum) number("maximum", print(*facts.maximum));
    if (facts.min_items) number("minItems", std::to_string(*facts.min_items));
    if (facts.max_items) number("maxItems", std::to_string(*facts.max_items));
  }

  void below(const Shape& shape, bool nullable, const std::string& pointer) {
    if (shape.kind == Kind::word) return words(shape, nullable);
    if (shape.kind == Kind::list) {
      name("items");
      return add(*shape.inner, {}, pointer + "/items");
    }
    if (shape.kind != Kind::object) return;
    above_.push_back({&shape, pointer});
    name("properties");
    text_ += '{';
    first_ = true;
    for (std::size_t i = 0; i < shape.count; ++i) {
      const auto& member = shape.members[i];
      name(member.name);
      add(*member.shape, member.facts, pointer + "/properties/" + std::string(member.name));
    }
    text_ += '}';
    first_ = false;
    above_.pop_back();
    name("required");
    text_ += '[';
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (i > 0) text_ += ',';
      json::append_string(text_, shape.members[i].name);
    }
    text_ += ']';
    number("additionalProperties", "false");
  }

  void words(const Shape& shape, bool nullable) {
    name("enum");
    text_ += '[';
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (i > 0) text_ += ',';
      json::append_string(text_, shape.word(i));
    }
    text_ += nullable ? ",null]" : "]";
  }

  std::string text_;
  bool first_{true};
  std::vector<Above> above_;  ///< the structs that the present place lies in
};

std::string_view name_of_value(std::string_view token) noexcept {
  switch (token.empty() ? 'n' : token.front()) {
    case '{': return "an object";
    case '[': return "a list";
    case '"': return "a string";
    case 't':
    case 'f': return "a boolean";
    case 'n': return "null";
    default: return "a number";
  }
}

/// Reads a document that is well-formed.
class ShapeReader {
 public:
  explicit ShapeReader(Error& error) : error_(error) {}

  bool read(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
            const std::string& path) {
    token = json::trim(token);
    switch (shape.kind) {
      case Kind::boolean: return boolean(token, to, path);
      case Kind::integer: return integer(shape, token, to, facts, path);
      case Kind::number: return number(shape, token, to, facts, path);
      case Kind::text: return text(token, to, path);
      case Kind::json: return *static_cast<Json*>(to) = Json::raw(std::string(token)), true;
      case Kind::word: return word(shape, token, to, path);
      case Kind::object: return object(shape, token, to, path);
      case Kind::list: return list(shape, token, to, facts, path);
      case Kind::optional: break;
    }
    shape.clear(to);
    return token == "null" || read(*shape.inner, token, shape.add(to), facts, path);
  }

 private:
  bool fail(const std::string& path, std::string detail) {
    error_ = Error{.kind = ErrorKind::schema, .detail = std::move(detail), .path = path};
    return false;
  }
  bool unexpected(const std::string& path, std::string_view expected, std::string_view token) {
    return fail(path, "expected " + std::string(expected) + ", but got " + std::string(name_of_value(token)));
  }

  bool boolean(std::string_view token, void* to, const std::string& path) {
    if (token != "true" && token != "false") return unexpected(path, "a boolean", token);
    *static_cast<bool*>(to) = token == "true";
    return true;
  }

  bool within(double value, std::string_view token, const MemberFacts& facts, const std::string& path) {
    if (facts.minimum && value < *facts.minimum) {
      return fail(path, "expected at least " + print(*facts.minimum) + ", but got " + std::string(token));
    }
    if (facts.maximum && value > *facts.maximum) {
      return fail(path, "expected at most " + print(*facts.maximum) + ", but got " + std::string(token));
    }
    return true;
  }

  bool integer(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
               const std::string& path) {
    const auto value = json::integer_of(token);
    if (!value && name_of_value(token) != "a number") return unexpected(path, "an integer", token);
    if (!value || !shape.set_integer(to, *value)) {
      return fail(path, "expected an integer that fits, but got " + std::string(token.substr(0, 64)));
    }
    return within(static_cast<double>(*value), token, facts, path);
  }

  bool number(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
              const std::string& path) {
    const auto value = json::number_of(token);
    if (!value) return unexpected(path, "a number", token);
    shape.set_number(to, *value);
    return within(*value, token, facts, path);
  }

  bool text(std::string_view token, void* to, const std::string& path) {
    auto value = json::string_of(token);
    if (!value) return unexpected(path, "a string", token);
    *static_cast<std::string*>(to) = *std::move(value);
    return true;
  }

  bool word(const Shape& shape, std::string_view token, void* to, const std::string& path) {
    const auto value = json::string_of(token);
    if (!value) return unexpected(path, "a string", token);
    std::string known;
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (*value == shape.word(i)) return shape.set_integer(to, static_cast<std::int64_t>(i));
      known += (i == 0 ? "'" : ", '") + std::string(shape.word(i)) + "'";
    }
    return fail(path, "expected one of " + known + ", but got '" + value->substr(0, 64) + "'");
  }

  bool object(const Shape& shape, std::string_view token, void* to, const std::string& path) {
    if (!token.starts_with('{')) return unexpected(path, "an object", token);
    std::vector<bool> seen(shape.count);
    for (json::Items items(token); items.next();) {
      const auto key = items.key();
      for (std::size_t i = 0; i < shape.count; ++i) {
        const auto& member = shape.members[i];
        if (member.name != key) continue;
        if (!read(*member.shape, items.value(), member.in(to), member.facts, below(path, key))) return false;
        seen[i] = true;
        break;
      }
    }
    for (std::size_t i = 0; i < shape.count; ++i) {
      const auto& member = shape.members[i];
      if (!seen[i] && member.shape->kind != Kind::optional) {
        return fail(below(path, member.name), "it is missing");
      }
    }
    return true;
  }
  static std::string below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  }

  bool list(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
            const std::string& path) {
    if (!token.starts_with('[')) return unexpected(path, "a list", token);
    shape.clear(to);
    std::size_t size = 0;
    for (json::Items items(token); items.next(); ++size) {
      const auto place = path + "[" + std::to_string(size) + "]";
      if (!read(*shape.inner, items.value(), shape.add(to), {}, place)) return false;
    }
    const bool few = facts.min_items && size < *facts.min_items;
    if (!few && !(facts.max_items && size > *facts.max_items)) return true;
    return fail(path, std::string("expected at ") + (few ? "least " : "most ") +
                          std::to_string(few ? *facts.min_items : *facts.max_items) + " elements, but got " +
                          std::to_string(size));
  }

  Error& error_;
};

/// Writes a value as JSON.
class ShapeWriter {
 public:
  ShapeWriter(std::string& out, Error& error) : out_(out), error_(error) {}

  bool write(const Shape& shape, const void* from, const std::string& path) {
    switch (shape.kind) {
      case Kind::boolean: return out_ += *static_cast<const bool*>(from) ? "true" : "false", true;
      case Kind::integer: return out_ += std::to_string(shape.integer(from)), true;
      case Kind::number: {
        const double value = shape.number(from);
        if (!std::isfinite(value)) return fail(path, "the number is none that JSON knows");
        return out_ += print(value), true;
      }
      case Kind::text: return text(*static_cast<const std::string*>(from), path);
      case Kind::json: {
        const auto& json = static_cast<const Json*>(from)->text();
        if (!json::check(json)) return fail(path, "the text is not JSON");
        return out_ += json, true;
      }
      case Kind::word: {
        const auto place = static_cast<std::size_t>(shape.integer(from));
        if (place >= shape.count) return fail(path, "the value has no word");
        return text(shape.word(place), path);
      }
      case Kind::object: return object(shape, from, path);
      case Kind::list: break;
      case Kind::optional:
        if (shape.size(from) == 0) return out_ += "null", true;
        return write(*shape.inner, shape.at(from, 0), path);
    }
    out_ += '[';
    for (std::size_t i = 0; i < shape.size(from); ++i) {
      if (i > 0) out_ += ',';
      if (!write(*shape.inner, shape.at(from, i), path + "[" + std::to_string(i) + "]")) return false;
    }
    return out_ += ']', true;
  }

 private:
  bool fail(const std::string& path, std::string detail) {
    error_ = Error{.kind = ErrorKind::invalid_request, .detail = std::move(detail), .path = path};
    return false;
  }
  bool text(std::string_view value, const std::string& path) {
    return json::append_quoted(out_, value) || fail(path, "the text is not UTF-8");
  }
  bool object(const Shape& shape, const void* from, const std::string& path) {
    out_ += '{';
    bool first = true;
    for (std::size_t i = 0; i < shape.count; ++i) {
      const auto& member = shape.members[i];
      // It is only looked at.
      const void* const value = member.in(const_cast<void*>(from));
      if (member.shape->kind == Kind::optional && member.shape->size(value) == 0) continue;
      if (!std::exchange(first, false)) out_ += ',';
      json::append_string(out_, member.name);
      out_ += ':';
      const auto place = path.empty() ? std::string(member.name) : path + "." + std::string(member.name);
      if (!write(*member.shape, value, place)) return false;
    }
    return out_ += '}', true;
  }

  std::string& out_;
  Error& error_;
};

}  // namespace

Json schema_of(const Shape& shape) {
  SchemaText text;
  text.add(shape, {}, "#");
  return Json::raw(std::move(text).take());
}

Result<void> read_shape(const Shape& shape, const Json& document, void* value) {
  if (auto checked = json::check(document.text()); !checked) return checked;
  Error error;
  if (!ShapeReader(error).read(shape, document.text(), value, {}, {})) return error;
  return {};
}

Result<Json> write_shape(const Shape& shape, const void* value) {
  std::string text;
  Error error;
  if (!ShapeWriter(text, error).write(shape, value, {})) return error;
  return Json::raw(std::move(text));
}

}  // namespace inferwire::inline v0_1::detail
