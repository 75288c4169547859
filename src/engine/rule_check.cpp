#include "engine/rule_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace inferwire::inline v0_1::engine {
namespace {

using protocol::Range;
using protocol::Rule;
using protocol::Shape;
using Offence = std::optional<Refusal>;

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::any: return "a value";
    case Shape::boolean: return "a boolean";
    case Shape::integer: return "an integer";
    case Shape::number: return "a number";
    case Shape::string: return "a string";
    case Shape::string_or_list: return "a string or a list of strings";
    case Shape::string_or_parts: return "a string or a list of objects";
    case Shape::string_or_object: return "a string or an object";
    case Shape::object: return "an object";
    case Shape::objects: return "a list of objects";
    case Shape::strings: return "a list of strings";
    case Shape::text_or_tokens: return "a string, a list of strings, or lists of token numbers";
  }
  return "a value";
}

/// The first element of a list that is not of this kind.
Offence check_elements(const Document& list, const Place& place, bool objects) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (objects ? list[i].is_object() : list[i].is_string()) continue;
    return refuse::wrong_type(place.element(i).text(), objects ? "an object" : "a string", kind_of(list[i]));
  }
  return std::nullopt;
}

bool is_token_list(const Document& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Document& token) { return token.is_number_integer(); });
}

/// The first element of a list says of what it is a list.
Offence check_texts_or_tokens(const Document& value, const Place& place) {
  if (value.is_string() || is_token_list(value)) return std::nullopt;
  if (!value.is_array()) {
    return refuse::wrong_type(place.text(), name_of(Shape::text_or_tokens), kind_of(value));
  }
  const bool texts = value.empty() || !value.front().is_array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (texts ? value[i].is_string() : is_token_list(value[i])) continue;
    const auto expected = texts ? "a string" : "a list of token numbers";
    return refuse::wrong_type(place.element(i).text(), expected, kind_of(value[i]));
  }
  return std::nullopt;
}

Offence check_type(const Document& value, const Rule& rule, const Place& place) {
  const auto expect = [&](bool fits) {
    return fits ? Offence() : refuse::wrong_type(place.text(), name_of(rule.shape), kind_of(value));
  };
  switch (rule.shape) {
    case Shape::any: return std::nullopt;
    case Shape::boolean: return expect(value.is_boolean());
    case Shape::integer: return expect(value.is_number_integer());
    case Shape::number: return expect(value.is_number());
    case Shape::string: return expect(value.is_string());
    case Shape::object: return expect(value.is_object());
    case Shape::string_or_object: return expect(value.is_string() || value.is_object());
    case Shape::strings:
    case Shape::objects:
      if (!value.is_array()) return expect(false);
      return check_elements(value, place, rule.shape == Shape::objects);
    case Shape::text_or_tokens: return check_texts_or_tokens(value, place);
    case Shape::string_or_list:
    case Shape::string_or_parts:
      if (value.is_string()) return std::nullopt;
      if (!value.is_array()) return expect(false);
      return check_elements(value, place, rule.shape == Shape::string_or_parts);
  }
  return std::nullopt;
}

std::string print(double value) {
  std::array<char, 32> out{};
  const auto end = std::to_chars(out.data(), out.data() + out.size(), value).ptr;
  return {out.data(), end};
}

std::string print(const Range& range, bool integer) {
  const std::string kind = integer ? "an integer" : "a number";
  if (std::isinf(range.to)) {
    return integer ? kind + " greater than " + print(range.from - 1)
                   : kind + " of at least " + print(range.from);
  }
  return kind + " in " + (range.above ? "(" : "[") + print(range.from) + ", " + print(range.to) + "]";
}

Offence check_length(std::size_t size, const protocol::Length& allowed, std::string_view unit,
                     const Place& place) {
  const auto count = [&](std::size_t n) {
    return std::to_string(n) + " " + std::string(unit) + (n == 1 ? "" : "s");
  };
  if (size < allowed.least) {
    return refuse::invalid_value(place.text(), "expected at least " + count(allowed.least) + ", but got " +
                                                   (size == 0 ? "none" : std::to_string(size)));
  }
  if (size > allowed.most) {
    return refuse::invalid_value(
        place.text(), "at most " + count(allowed.most) + " are supported, but got " + std::to_string(size));
  }
  return std::nullopt;
}

Offence check_words(const std::string& word, const Rule& rule, const Place& place) {
  if (rule.words.empty()) return std::nullopt;
  std::string allowed;
  for (const auto known : rule.words) {
    if (word == known) return std::nullopt;
    allowed += (allowed.empty() ? "'" : ", '") + std::string(known) + "'";
  }
  const auto expected = rule.words.size() == 1 ? "expected " : "expected one of ";
  return refuse::invalid_value(place.text(), expected + allowed + ", but got '" + word.substr(0, 64) + "'");
}

Offence check_text(const std::string& text, const Rule& rule, const Place& place) {
  if (auto offence = check_words(text, rule, place)) return offence;
  return check_length(text.size(), rule.text_length, "character", place);
}

/// `value` is of its type.
Offence check_value(const Document& value, const Rule& rule, const Place& place) {
  if (value.is_number() && rule.range.bounded() && !rule.range.contains(value.get<double>())) {
    return refuse::invalid_value(place.text(), "expected " + print(rule.range, rule.shape == Shape::integer) +
                                                   ", but got " + value.dump());
  }
  if (value.is_string()) return check_text(value.get_ref<const std::string&>(), rule, place);
  if (!value.is_array()) return std::nullopt;
  if (auto offence = check_length(value.size(), rule.length, "element", place)) return offence;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_string()) continue;
    if (auto offence = check_text(value[i].get_ref<const std::string&>(), rule, place.element(i)))
      return offence;
  }
  return std::nullopt;
}

enum class Phase : std::uint8_t { unknown, missing, type, value };

/// Looks for one kind of offence. The phases before have found none of theirs.
class Walk {
 public:
  Walk(protocol::Speaker speaker, Phase phase) : speaker_(speaker), phase_(phase) {}

  Offence object(const Document& object, std::span<const Rule> rules, const Place& place) const {
    if (phase_ == Phase::unknown) {
      for (const auto& item : object.items()) {
        if (protocol::find_rule(rules, speaker_, item.key()) == nullptr) {
          return refuse::unknown_member(place.member(item.key()).text(), item.key());
        }
      }
    }
    for (const auto& rule : rules) {
      if (!protocol::contains(rule.speakers, speaker_)) continue;
      const auto here = place.member(rule.name);
      const auto* value = member(object, rule.name);
      if (value == nullptr) {
        if (phase_ == Phase::missing && rule.required) return refuse::missing(here.text());
        continue;
      }
      if (phase_ == Phase::type && rule.refused) return refuse::unsupported(here.text(), "is not supported");
      if (phase_ == Phase::type) {
        if (auto offence = check_type(*value, rule, here)) return offence;
      }
      if (phase_ == Phase::value) {
        if (auto offence = check_value(*value, rule, here)) return offence;
      }
      if (auto offence = below(*value, rule, here)) return offence;
    }
    return std::nullopt;
  }

 private:
  Offence below(const Document& value, const Rule& rule, const Place& place) const {
    if (rule.members.empty() && rule.variants.empty()) return std::nullopt;
    if (value.is_object()) return inside(value, rule, place);
    if (!value.is_array()) return std::nullopt;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_object()) continue;
      if (auto offence = inside(value[i], rule, place.element(i))) return offence;
    }
    return std::nullopt;
  }

  Offence inside(const Document& value, const Rule& rule, const Place& place) const {
    if (rule.variants.empty()) return object(value, rule.members, place);
    const auto* type = member(value, "type");
    if (type == nullptr) return object(value, rule.variants.front().members, place);
    for (const auto& variant : rule.variants) {
      if (*type == variant.type) return object(value, variant.members, place);
    }
    if (phase_ != Phase::type && phase_ != Phase::value) return std::nullopt;
    const auto here = place.member("type");
    if (!type->is_string()) return refuse::wrong_type(here.text(), "a string", kind_of(*type));
    std::string known;
    for (const auto& variant : rule.variants) {
      known += (known.empty() ? "'" : ", '") + std::string(variant.type) + "'";
    }
    return refuse::invalid_value(here.text(), "expected one of " + known + ", but got '" +
                                                  type->get_ref<const std::string&>().substr(0, 64) + "'");
  }

  protocol::Speaker speaker_;
  Phase phase_;
};

}  // namespace

std::optional<Refusal> check_rules(const Document& document, std::span<const Rule> rules,
                                   protocol::Speaker speaker, bool refuse_unknown) {
  for (const auto phase : {Phase::unknown, Phase::missing, Phase::type, Phase::value}) {
    if (phase == Phase::unknown && !refuse_unknown) continue;
    if (auto offence = Walk(speaker, phase).object(document, rules, Place())) return offence;
  }
  return std::nullopt;
}

}  // namespace inferwire::inline v0_1::engine
