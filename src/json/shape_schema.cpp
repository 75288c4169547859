// Writes the schemas of described structs.
#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "inferwire/schema.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::detail {
namespace {

using Kind = Shape::Kind;

/// Adds the parts of a shape, at any depth; the shape itself is one of them only if it is recursive.
void add_parts(std::set<const Shape*>& parts, const Shape& shape) {
  const auto add = [&parts](const Shape* part) {
    if (parts.insert(part).second) add_parts(parts, *part);
  };
  if (shape.inner != nullptr) add(shape.inner);
  for (std::size_t i = 0; i < shape.count; ++i) {
    if (shape.kind == Kind::variant) add(shape.alternatives[i]);
    if (shape.kind == Kind::object) add(shape.members[i].shape);
  }
}

std::set<const Shape*> parts_of(const Shape& shape) {
  std::set<const Shape*> parts;
  add_parts(parts, shape);
  return parts;
}

/// Writes a schema, one member after another. Structs that contain their own type are at its end, as targets
/// of references, except the outermost one, which is the schema itself.
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
      for (std::size_t i = 0; i < definitions_.size(); ++i) {  // the list may grow meanwhile
        const Shape& defined = *definitions_[i].shape;
        name(definitions_[i].name);
        text_ += '{';
        type(defined, false);
        below(defined, false);
        text_ += '}';
      }
      text_ += '}';
    }
    text_ += '}';
    return std::move(text_);
  }

 private:
  void name(std::string_view name) { json::append_name(text_, name); }
  void add(std::string_view key, std::string_view token) {
    name(key);
    text_ += token;
  }

  void value(const Shape& shape, const MemberFacts& facts) {
    const bool nullable = shape.kind == Kind::optional;
    const Shape& inside = nullable ? *shape.inner : shape;
    text_ += '{';
    if (!facts.description.empty()) {
      name("description");
      json::append_string(text_, facts.description);
    }
    if (inside.kind == Kind::variant) {
      alternatives(inside, nullable);
    } else if (inside.kind == Kind::object && parts_of(inside).contains(&inside)) {
      reference(inside, nullable);
    } else {
      type(inside, nullable);
      bounds(inside, facts);
      below(inside, nullable);
    }
    text_ += '}';
  }

  void alternatives(const Shape& shape, bool nullable) {
    name("anyOf");
    text_ += '[';
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (i > 0) text_ += ',';
      value(*shape.alternatives[i], {});
    }
    text_ += nullable ? ",{\"type\":\"null\"}]" : "]";
  }

  void reference(const Shape& shape, bool nullable) {
    std::string place = "\"#\"";
    if (&shape != root_) {
      auto found = std::ranges::find(definitions_, &shape, &Definition::shape);
      if (found == definitions_.end()) found = definitions_.insert(found, {&shape, free_name(shape)});
      place = "\"#/$defs/" + found->name + "\"";
    }
    // In strict schemas a reference must not have siblings.
    if (!nullable && text_.ends_with('{')) return add("$ref", place);
    add("anyOf", "[{\"$ref\":" + place + (nullable ? "},{\"type\":\"null\"}]" : "}]"));
  }
  /// An unused definition name: several structs may have the same name.
  std::string free_name(const Shape& shape) const {
    const auto first = schema_name(shape.name);
    auto name = first;
    for (int number = 2; std::ranges::find(definitions_, name, &Definition::name) != definitions_.end();
         ++number) {
      name = first + "_" + std::to_string(number);
    }
    return name;
  }

  /// Empty: any type.
  static constexpr std::string_view type_of(Kind kind) noexcept {
    switch (kind) {
      case Kind::boolean: return "boolean";
      case Kind::integer: return "integer";
      case Kind::number: return "number";
      case Kind::text:
      case Kind::word: return "string";
      case Kind::object: return "object";
      case Kind::list: return "array";
      case Kind::json:
      case Kind::optional:
      case Kind::variant: break;
    }
    return {};
  }

  void type(const Shape& shape, bool nullable) {
    const auto word = type_of(shape.kind);
    if (word.empty()) return;
    const auto quoted = "\"" + std::string(word) + "\"";
    add("type", nullable ? "[" + quoted + ",\"null\"]" : quoted);
  }

  void bounds(const Shape& shape, const MemberFacts& facts) {
    auto minimum = facts.minimum, maximum = facts.maximum;
    if (shape.least) minimum = std::max(minimum.value_or(-HUGE_VAL), static_cast<double>(*shape.least));
    if (shape.most) maximum = std::min(maximum.value_or(HUGE_VAL), static_cast<double>(*shape.most));
    if (minimum) add("minimum", print_decimal(*minimum));
    if (maximum) add("maximum", print_decimal(*maximum));
    const auto min_items = shape.fixed_size ? shape.fixed_size : facts.min_items;
    const auto max_items = shape.fixed_size ? shape.fixed_size : facts.max_items;
    if (min_items) add("minItems", std::to_string(*min_items));
    if (max_items) add("maxItems", std::to_string(*max_items));
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
    for (std::size_t i = 0; i < shape.count; ++i) {
      name(shape.members[i].name);
      value(*shape.members[i].shape, shape.members[i].facts);
    }
    text_ += '}';
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

  struct Definition {
    const Shape* shape{};
    std::string name{};
  };

  const Shape* root_{};
  std::string text_;
  std::vector<Definition> definitions_;
};

}  // namespace

std::string schema_name(std::string_view name) {
  constexpr std::size_t most = 64;
  const auto scope = name.substr(0, name.find('<')).rfind("::");
  if (scope != name.npos) name.remove_prefix(scope + 2);
  std::string text;
  bool in_arguments = false;  // a template's: what is between their words becomes one "_"
  for (const char c : name) {
    in_arguments = in_arguments || c == '<';
    const bool good = ascii::is_letter(c) || ascii::is_digit(c) || c == '-';
    if (good) {
      text += c;
    } else if (!in_arguments || !text.ends_with('_')) {
      text += '_';
    }
  }
  if (in_arguments && text.ends_with('_')) text.pop_back();
  return text.substr(0, most);
}

bool is_closed(const Shape& shape) {
  return shape.kind != Kind::json &&
         std::ranges::none_of(parts_of(shape), [](const Shape* part) { return part->kind == Kind::json; });
}

Json schema_of(const Shape& shape) { return Json::raw(SchemaText().write(shape)); }

}  // namespace inferwire::inline v0_1::detail
