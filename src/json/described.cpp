// Described structs: their schemas, and the way from and to JSON.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

namespace inferwire::inline v0_1::detail {
namespace {

using Kind = Shape::Kind;

template <class T>
std::string print(T number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}
std::string print(WholeNumber number) {
  return (number.negative ? "-" : "") + std::to_string(number.magnitude);
}

/// Whether a struct holds its own kind, at any depth.
class Recursion {
 public:
  bool found(const Shape& shape) {
    seen_.clear();
    return reaches(shape, shape);
  }

 private:
  bool reaches(const Shape& from, const Shape& wanted) {
    if (from.inner != nullptr) return from.inner == &wanted || reaches(*from.inner, wanted);
    if (from.kind == Kind::variant) {
      return std::any_of(from.alternatives, from.alternatives + from.count, [&](const Shape* alternative) {
        return alternative == &wanted || reaches(*alternative, wanted);
      });
    }
    if (from.kind != Kind::object || !seen_.insert(&from).second) return false;
    for (std::size_t i = 0; i < from.count; ++i) {
      const Shape& member = *from.members[i].shape;
      if (&member == &wanted || reaches(member, wanted)) return true;
    }
    return false;
  }

  std::set<const Shape*> seen_;
};

/// A schema, member behind member. Structs that hold their own kind stand at its end, where references lead;
/// but for the outermost one, which is the schema itself.
class SchemaText {
 public:
  std::string write(const Shape& shape) && {
    root_ = &shape;
    text_ = '{';
    type(shape, false);
    below(shape, false);
    if (!definitions_.empty()) {
      name("$defs");
      text_ += '{';
      first_ = true;
      for (std::size_t i = 0; i < definitions_.size(); ++i) {  // more may come meanwhile
        name(name_of(i));
        text_ += '{';
        first_ = true;
        type(*definitions_[i], false);
        below(*definitions_[i], false);
        close('}');
      }
      close('}');
    }
    close('}');
    return std::move(text_);
  }

 private:
  void name(std::string_view name) {
    if (!std::exchange(first_, false)) text_ += ',';
    json::append_string(text_, name);
    text_ += ':';
  }
  void add(std::string_view key, std::string_view token) {
    name(key);
    text_ += token;
  }
  void close(char bracket) {
    text_ += bracket;
    first_ = false;
  }

  void value(const Shape& shape, const MemberFacts& facts) {
    const bool nullable = shape.kind == Kind::optional;
    const Shape& inside = nullable ? *shape.inner : shape;
    text_ += '{';
    first_ = true;
    if (!facts.description.empty()) {
      name("description");
      json::append_string(text_, facts.description);
    }
    if (inside.kind == Kind::variant) {
      alternatives(inside, nullable);
    } else if (inside.kind == Kind::object && Recursion().found(inside)) {
      reference(inside, nullable);
    } else {
      type(inside, nullable);
      bounds(inside, facts);
      below(inside, nullable);
    }
    close('}');
  }

  void alternatives(const Shape& shape, bool nullable) {
    name("anyOf");
    text_ += '[';
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (i > 0) text_ += ',';
      value(*shape.alternatives[i], {});
    }
    if (nullable) text_ += ",{\"type\":\"null\"}";
    close(']');
  }

  void reference(const Shape& shape, bool nullable) {
    std::string place = "\"#\"";
    if (&shape != root_) {
      auto found = std::ranges::find(definitions_, &shape);
      if (found == definitions_.end()) found = definitions_.insert(found, &shape);
      place = "\"#/$defs/" + name_of(static_cast<std::size_t>(found - definitions_.begin())) + "\"";
    }
    // Where schemas are strict, nothing may stand beside a reference.
    if (!nullable && first_) return add("$ref", place);
    add("anyOf", "[{\"$ref\":" + place + (nullable ? "},{\"type\":\"null\"}]" : "}]"));
  }
  /// Of a definition; two structs may have the same one.
  std::string name_of(std::size_t place) const {
    auto text = schema_name(definitions_[place]->name);
    const auto same = [&](const Shape* other) { return schema_name(other->name) == text; };
    const auto before =
        std::count_if(definitions_.begin(), definitions_.begin() + static_cast<std::ptrdiff_t>(place), same);
    return before == 0 ? text : text + "_" + std::to_string(before + 1);
  }

  void type(const Shape& shape, bool nullable) {
    static constexpr std::string_view words[] = {"boolean", "integer", "number", "string", "",
                                                 "string",  "object",  "array",  "",       ""};
    const auto word = words[static_cast<std::size_t>(shape.kind)];
    if (word.empty()) return;  // anything
    const auto quoted = "\"" + std::string(word) + "\"";
    add("type", nullable ? "[" + quoted + ",\"null\"]" : quoted);
  }

  void bounds(const Shape& shape, const MemberFacts& facts) {
    auto minimum = facts.minimum, maximum = facts.maximum;
    if (shape.least) minimum = std::max(minimum.value_or(-HUGE_VAL), static_cast<double>(*shape.least));
    if (shape.most) maximum = std::min(maximum.value_or(HUGE_VAL), static_cast<double>(*shape.most));
    if (minimum) add("minimum", print(*minimum));
    if (maximum) add("maximum", print(*maximum));
    if (facts.min_items) add("minItems", std::to_string(*facts.min_items));
    if (facts.max_items) add("maxItems", std::to_string(*facts.max_items));
  }

  void below(const Shape& shape, bool nullable) {
    if (shape.kind == Kind::word) return words(shape, nullable);
    if (shape.kind == Kind::list) {
      name("items");
      return value(*shape.inner, {});
    }
    if (shape.kind != Kind::object) return;
    name("properties");
    text_ += '{';
    first_ = true;
    for (std::size_t i = 0; i < shape.count; ++i) {
      name(shape.members[i].name);
      value(*shape.members[i].shape, shape.members[i].facts);
    }
    close('}');
    name("required");
    text_ += '[';
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (i > 0) text_ += ',';
      json::append_string(text_, shape.members[i].name);
    }
    text_ += ']';
    add("additionalProperties", "false");
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

  const Shape* root_{};
  std::string text_;
  bool first_{true};
  std::vector<const Shape*> definitions_;
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

std::string name_of_shape(const Shape& shape) {
  switch (shape.kind) {
    case Kind::boolean: return "a boolean";
    case Kind::integer: return "an integer";
    case Kind::number: return "a number";
    case Kind::text: return "a string";
    case Kind::list: return "a list";
    case Kind::word:
    case Kind::object: return schema_name(shape.name);
    case Kind::json:
    case Kind::variant:
    case Kind::optional: break;
  }
  return "anything";
}

/// The integer that a number is, in whatever way it is written: 1200, 1.2e3. Nothing where it is none, or
/// has more than 64 bits.
std::optional<WholeNumber> whole_number(std::string_view token) {
  WholeNumber number{.negative = token.starts_with('-')};
  const auto power = std::min(token.find_first_of("eE"), token.size());
  std::string digits(token.substr(0, power));
  std::int32_t written = 0;
  if (power < token.size()) {
    const auto text = token.substr(power + (token.substr(power + 1).starts_with('+') ? 2 : 1));
    if (std::from_chars(text.data(), text.data() + text.size(), written).ec != std::errc{}) return {};
  }
  std::int64_t exponent = written;
  if (const auto point = digits.find('.'); point != digits.npos) {
    digits.erase(point, 1);
    exponent -= static_cast<std::int64_t>(digits.size() - point);
  }
  for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
  const bool is_zero = digits.find_first_not_of("-0") == digits.npos;
  if (!is_zero && (exponent < 0 || exponent > 19)) return std::nullopt;
  if (!is_zero) digits.append(static_cast<std::size_t>(exponent), '0');
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data() + (number.negative ? 1 : 0), end, number.magnitude);
  if (is_zero) return WholeNumber{};
  return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The float next to a number; what is none of a float's as it is. Not by way of `value`, the double next to
/// it: the limit's shortest spelling is beyond the limit, and what is rounded twice may end up beside itself.
double as_float(std::string_view token, double value) {
  float number = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), number);
  return read.ec == std::errc{} ? double{number} : value;
}

/// Reads a document that is well-formed.
class ShapeReader {
 public:
  explicit ShapeReader(Error& error) : error_(error) {}

  bool read(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
            const std::string& path) {
    token = json::trim(token);
    switch (shape.kind) {
      case Kind::boolean: return boolean(shape, token, to, path);
      case Kind::integer: return integer(shape, token, to, facts, path);
      case Kind::number: return number(shape, token, to, facts, path);
      case Kind::text: return text(token, to, path);
      case Kind::json: return *static_cast<Json*>(to) = Json::raw(std::string(token)), true;
      case Kind::word: return word(shape, token, to, path);
      case Kind::object: return object(shape, token, to, path);
      case Kind::list: return list(shape, token, to, facts, path);
      case Kind::variant: return variant(shape, token, to, path);
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

  bool boolean(const Shape& shape, std::string_view token, void* to, const std::string& path) {
    if (token != "true" && token != "false") return unexpected(path, "a boolean", token);
    return shape.set_whole(to, {.magnitude = token == "true" ? 1U : 0U});
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

  bool unfit(const std::string& path, std::string_view expected, std::string_view token) {
    if (name_of_value(token) != "a number") return unexpected(path, expected, token);
    return fail(path, "expected " + std::string(expected) + " that fits, but got " +
                          std::string(token.substr(0, 64)));
  }

  bool integer(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
               const std::string& path) {
    const auto value = whole_number(token);
    if (!value || !shape.set_whole(to, *value)) {
      const auto number = json::number_of(token);
      if (!number || std::trunc(*number) == *number) return unfit(path, "an integer", token);
      return fail(path, "expected an integer, but got " + std::string(token.substr(0, 64)));
    }
    const auto magnitude = static_cast<double>(value->magnitude);
    return within(value->negative ? -magnitude : magnitude, token, facts, path);
  }

  bool number(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
              const std::string& path) {
    const auto value = json::number_of(token);
    const auto read = value && shape.is_float ? as_float(token, *value) : value;
    if (!read || !shape.set_number(to, *read)) return unfit(path, "a number", token);
    return within(*value, token, facts, path);
  }

  bool text(std::string_view token, void* to, const std::string& path) {
    auto value = json::string_of(token);
    if (!value) return unexpected(path, "a string", token);
    *static_cast<std::string*>(to) = *std::move(value);
    return true;
  }

  static std::size_t place_of_word(const Shape& shape, const std::optional<std::string>& word) {
    std::size_t place = 0;
    while (place < shape.count && word != shape.word(place)) ++place;
    return place;
  }
  bool word(const Shape& shape, std::string_view token, void* to, const std::string& path) {
    const auto value = json::string_of(token);
    if (!value) return unexpected(path, "a string", token);
    const auto place = place_of_word(shape, value);
    if (place < shape.count) return shape.set_whole(to, {.magnitude = place});
    std::string known;
    for (std::size_t i = 0; i < shape.count; ++i) {
      known += (i == 0 ? "'" : ", '") + std::string(shape.word(i)) + "'";
    }
    return fail(path, "expected one of " + known + ", but got '" +
                          std::string(utf8::whole_characters(*value, 64)) + "'");
  }

  /// How well a document fits a shape at first sight, without a look into it: choosing among alternatives
  /// takes no time to speak of, however deep they go.
  enum class Fit : std::uint8_t { none, some, all };

  static Fit fit(const Shape& shape, std::string_view token) {
    token = json::trim(token);
    const auto all_if = [](bool fits) { return fits ? Fit::all : Fit::none; };
    switch (shape.kind) {
      case Kind::boolean: return all_if(token == "true" || token == "false");
      case Kind::integer: return all_if(whole_number(token).has_value());
      case Kind::number: return all_if(json::number_of(token).has_value());
      case Kind::text: return all_if(token.starts_with('"'));
      case Kind::word: return all_if(place_of_word(shape, json::string_of(token)) < shape.count);
      case Kind::list: return all_if(token.starts_with('['));
      case Kind::object: return token.starts_with('{') ? fit_of_members(shape, token) : Fit::none;
      case Kind::variant: return best_of(shape, token).first;
      case Kind::json:
      case Kind::optional: break;
    }
    return Fit::all;
  }
  static std::pair<Fit, std::size_t> best_of(const Shape& shape, std::string_view token) {
    std::pair best(Fit::none, std::size_t{0});
    for (std::size_t i = 0; i < shape.count && best.first != Fit::all; ++i) {
      if (const auto found = fit(*shape.alternatives[i], token); found > best.first) best = {found, i};
    }
    return best;
  }
  static Fit fit_of_members(const Shape& shape, std::string_view token) {
    std::size_t there = 0;
    for (json::Items items(token); items.next();) {
      const auto* const end = shape.members + shape.count;
      const auto* const member =
          std::find_if(shape.members, end, [key = items.key()](const ShapeMember& one) {
            return one.name == key && one.shape->kind != Kind::optional;
          });
      if (member == end) continue;
      if (member->shape->kind == Kind::word && fit(*member->shape, items.value()) == Fit::none)
        return Fit::none;
      ++there;
    }
    const auto needed =
        std::count_if(shape.members, shape.members + shape.count,
                      [](const ShapeMember& member) { return member.shape->kind != Kind::optional; });
    return std::cmp_less(there, needed) ? Fit::some : Fit::all;
  }

  bool variant(const Shape& shape, std::string_view token, void* to, const std::string& path) {
    const auto [found, place] = best_of(shape, token);
    if (found != Fit::none) return read(*shape.alternatives[place], token, shape.choose(to, place), {}, path);
    std::string known;
    for (std::size_t i = 0; i < shape.count; ++i) {
      known += (i == 0 ? "" : ", ") + name_of_shape(*shape.alternatives[i]);
    }
    return fail(path, "expected one of these: " + known + "; but got " + std::string(name_of_value(token)) +
                          " that is none of them");
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
      if (seen[i]) continue;
      if (member.shape->kind != Kind::optional) return fail(below(path, member.name), "it is missing");
      member.shape->clear(member.in(to));
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
      case Kind::integer: return out_ += print(shape.whole(from)), true;
      case Kind::number: {
        const double value = shape.number(from);
        if (!std::isfinite(value)) return fail(path, "the number is none that JSON knows");
        return out_ += shape.is_float ? print(static_cast<float>(value)) : print(value), true;
      }
      case Kind::text: return text(*static_cast<const std::string*>(from), path);
      case Kind::json: {
        const auto& json = static_cast<const Json*>(from)->text();
        if (!json::check(json)) return fail(path, "the text is not JSON");
        return out_ += json, true;
      }
      case Kind::word: {
        const auto place = static_cast<std::size_t>(shape.whole(from).magnitude);
        if (place >= shape.count) return fail(path, "the value has no word");
        return text(shape.word(place), path);
      }
      case Kind::object: return object(shape, from, path);
      case Kind::list: break;
      case Kind::variant: return variant(shape, from, path);
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
  bool variant(const Shape& shape, const void* from, const std::string& path) {
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (const void* const value = shape.at(from, i)) return write(*shape.alternatives[i], value, path);
    }
    return fail(path, "the variant holds nothing");
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

std::string schema_name(std::string_view name) {
  if (const auto space = name.rfind("::"); space != name.npos) name.remove_prefix(space + 2);
  std::string text(name);
  for (char& c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!good) c = '_';
  }
  return text;
}

bool is_closed(const Shape& shape) {
  std::set<const Shape*> seen;
  const auto closed = [&seen](const auto& self, const Shape& part) -> bool {
    if (part.kind == Kind::json) return false;
    if (part.inner != nullptr) return self(self, *part.inner);
    if (!seen.insert(&part).second) return true;
    if (part.kind == Kind::variant) {
      return std::all_of(part.alternatives, part.alternatives + part.count,
                         [&](const Shape* alternative) { return self(self, *alternative); });
    }
    return std::all_of(part.members, part.members + (part.kind == Kind::object ? part.count : 0),
                       [&](const ShapeMember& member) { return self(self, *member.shape); });
  };
  return closed(closed, shape);
}

Json schema_of(const Shape& shape) { return Json::raw(SchemaText().write(shape)); }

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
