/// \file
/// Holds a request's document against the rules of its provider, whatever the document is held in: the engine
/// refuses what is found here, the client tells of it before anything is sent.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "protocol/rules.hpp"

namespace inferwire::inline v0_1::protocol {

/// What a value of a document is.
enum class NodeKind : std::uint8_t { null, boolean, integer, fraction, string, list, object };

/// The same with its article: "an integer".
constexpr std::string_view name_of(NodeKind kind) noexcept {
  constexpr std::string_view names[] = {"null",     "a boolean", "an integer", "a number with a fraction",
                                        "a string", "a list",    "an object"};
  return names[static_cast<std::size_t>(kind)];
}

/// Where a value is: a chain down to the root, written out only when something is wrong there. Lives on the
/// stack of whoever descends.
struct Place {
  const Place* above{};
  std::string_view name{};
  std::size_t index{static_cast<std::size_t>(-1)};  ///< of an element; the name is empty then

  Place member(std::string_view of) const { return {.above = this, .name = of}; }
  Place element(std::size_t of) const { return {.above = this, .index = of}; }
  /// "messages[0].role"
  std::string text() const;
};

/// What is wrong with a request, the first to be told of first.
enum class Fault : std::uint8_t { unknown_member, missing, wrong_type, unsupported, invalid_value };

struct Offence {
  Fault fault{};
  std::string place{};
  std::string expected{};  ///< of a wrong type, with its article
  std::string got{};       ///< of a wrong type, with its article; the name of an unknown member
  std::string problem{};   ///< of an invalid value: "expected a number in [0, 2], but got 3"
};

/// Goes over a document once. A `Node` is a value of it, cheap to copy:
///
///     NodeKind kind() const;
///     double number() const;            // of a number
///     std::string string() const;       // of a string
///     std::string print() const;        // of a number: as it was written
///     void each_member(f) const;        // of an object: f(std::string_view name, Node value)
///     void each_element(f) const;       // of a list: f(std::size_t index, Node value)
template <class Node>
class RuleWalk {
 public:
  /// What is refused for not being listed.
  struct Refused {
    bool members{};
    bool types{};  ///< of objects whose members depend on their type
  };

  /// The gravest offence of the document, of several such the first: unknown members (when they are
  /// `refused`), missing members, wrong types, values out of range.
  static std::optional<Offence> check(const Node& document, std::span<const Rule> rules, Speaker speaker,
                                      Refused refused) {
    RuleWalk walk(speaker, refused);
    walk.object(document, rules, Place());
    return std::move(walk.worst_);
  }

 private:
  RuleWalk(Speaker speaker, Refused refused) : speaker_(speaker), refused_(refused) {}

  static int rank(Fault fault) { return fault == Fault::unsupported ? 2 : static_cast<int>(fault); }
  bool matters(Fault fault) const { return !worst_ || rank(fault) < rank(worst_->fault); }

  void wrong_type(const Place& place, std::string_view expected, const Node& got) {
    if (!matters(Fault::wrong_type)) return;
    worst_ = {Fault::wrong_type, place.text(), std::string(expected), std::string(name_of(got.kind())), {}};
  }
  void invalid(const Place& place, std::string problem) {
    worst_ = {Fault::invalid_value, place.text(), {}, {}, std::move(problem)};
  }

  void object(const Node& object, std::span<const Rule> rules, const Place& place) {
    std::uint64_t seen = 0;  // of the rules
    object.each_member([&](std::string_view name, const Node& value) {
      const auto here = place.member(name);
      const Rule* const rule = find_rule(rules, speaker_, name);
      if (rule == nullptr) {
        if (refused_.members && matters(Fault::unknown_member)) {
          worst_ = {Fault::unknown_member, here.text(), {}, std::string(name), {}};
        }
        return;
      }
      if (value.kind() == NodeKind::null) return;
      seen |= std::uint64_t{1} << (rule - rules.data());
      if (rule->refused) {
        if (matters(Fault::unsupported)) worst_ = {Fault::unsupported, here.text(), {}, {}, {}};
        return;
      }
      if (check_type(value, *rule, here) && matters(Fault::invalid_value)) check_value(value, *rule, here);
      below(value, *rule, here);
    });
    if (!matters(Fault::missing)) return;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const bool wanted = rules[i].required && contains(rules[i].speakers, speaker_);
      if (!wanted || (seen >> i & 1U) != 0) continue;
      worst_ = {Fault::missing, place.member(rules[i].name).text(), {}, {}, {}};
      return;
    }
  }

  void below(const Node& value, const Rule& rule, const Place& place) {
    if (rule.members.empty() && rule.variants.empty()) return;
    if (value.kind() == NodeKind::object) inside(value, rule, place);
    if (value.kind() != NodeKind::list) return;
    value.each_element([&](std::size_t i, const Node& element) {
      if (element.kind() == NodeKind::object) inside(element, rule, place.element(i));
    });
  }

  void inside(const Node& value, const Rule& rule, const Place& place) {
    if (rule.variants.empty()) return object(value, rule.members, place);
    std::optional<Node> type;
    value.each_member([&](std::string_view name, const Node& member) {
      if (name == "type" && member.kind() != NodeKind::null) type = member;
    });
    if (!type) return object(value, rule.variants.front().members, place);
    const auto here = place.member("type");
    if (type->kind() != NodeKind::string) return wrong_type(here, "a string", *type);
    const auto word = type->string();
    for (const auto& variant : rule.variants) {
      if (word == variant.type) return object(value, variant.members, place);
    }
    if (!refused_.types || !matters(Fault::wrong_type)) return;
    std::vector<std::string_view> known;
    for (const auto& variant : rule.variants) known.push_back(variant.type);
    invalid(here, unlisted(known, word));
  }

  static std::string unlisted(std::span<const std::string_view> known, const std::string& word) {
    std::string text = known.size() == 1 ? "expected " : "expected one of ";
    for (const auto one : known) text += (one == known.front() ? "'" : ", '") + std::string(one) + "'";
    return text + ", but got '" + std::string(utf8::whole_characters(word, 64)) + "'";
  }

  /// Whether a value is of its type.
  bool check_type(const Node& value, const Rule& rule, const Place& place) {
    const auto kind = value.kind();
    const auto expect = [&](bool fits) {
      if (!fits) wrong_type(place, name_of(rule.shape), value);
      return fits;
    };
    switch (rule.shape) {
      case Shape::any: return true;
      case Shape::boolean: return expect(kind == NodeKind::boolean);
      case Shape::integer: return expect(kind == NodeKind::integer);
      case Shape::number: return expect(kind == NodeKind::integer || kind == NodeKind::fraction);
      case Shape::string: return expect(kind == NodeKind::string);
      case Shape::object: return expect(kind == NodeKind::object);
      case Shape::string_or_object: return expect(kind == NodeKind::string || kind == NodeKind::object);
      case Shape::strings:
      case Shape::objects: return expect(kind == NodeKind::list) && check_elements(value, rule, place);
      case Shape::text_or_tokens: return check_texts_or_tokens(value, place);
      case Shape::string_or_list:
      case Shape::string_or_parts:
        if (kind == NodeKind::string) return true;
        return expect(kind == NodeKind::list) && check_elements(value, rule, place);
    }
    return true;
  }

  static constexpr std::string_view name_of(Shape shape) {
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
  static constexpr std::string_view name_of(NodeKind kind) { return protocol::name_of(kind); }

  bool check_elements(const Node& list, const Rule& rule, const Place& place) {
    const bool objects = rule.shape == Shape::objects || rule.shape == Shape::string_or_parts;
    const auto wanted = objects ? NodeKind::object : NodeKind::string;
    bool good = true;
    list.each_element([&](std::size_t i, const Node& element) {
      if (element.kind() == wanted) return;
      if (good) wrong_type(place.element(i), name_of(wanted), element);
      good = false;
    });
    return good;
  }

  static bool is_token_list(const Node& value) {
    if (value.kind() != NodeKind::list) return false;
    bool any = false;
    bool all = true;
    value.each_element([&](std::size_t, const Node& token) {
      any = true;
      all = all && token.kind() == NodeKind::integer;
    });
    return any && all;
  }

  /// The first element of a list says of what it is a list.
  bool check_texts_or_tokens(const Node& value, const Place& place) {
    if (value.kind() == NodeKind::string || is_token_list(value)) return true;
    if (value.kind() != NodeKind::list) {
      wrong_type(place, name_of(Shape::text_or_tokens), value);
      return false;
    }
    bool good = true;
    bool texts = true;
    value.each_element([&](std::size_t i, const Node& element) {
      if (i == 0) texts = element.kind() != NodeKind::list;
      if (texts ? element.kind() == NodeKind::string : is_token_list(element)) return;
      if (good) wrong_type(place.element(i), texts ? "a string" : "a list of token numbers", element);
      good = false;
    });
    return good;
  }

  static std::string print(double value) {
    std::array<char, 32> out{};
    const auto end = std::to_chars(out.data(), out.data() + out.size(), value).ptr;
    return {out.data(), end};
  }

  static std::string print(const Range& range, bool integer) {
    const std::string kind = integer ? "an integer" : "a number";
    if (std::isinf(range.to)) {
      return integer ? kind + " greater than " + print(range.from - 1)
                     : kind + " of at least " + print(range.from);
    }
    return kind + " in " + (range.above ? "(" : "[") + print(range.from) + ", " + print(range.to) + "]";
  }

  void check_length(std::size_t size, const Length& allowed, std::string_view unit, const Place& place) {
    const auto count = [&](std::size_t n) {
      return std::to_string(n) + " " + std::string(unit) + (n == 1 ? "" : "s");
    };
    if (size < allowed.least) {
      invalid(place, "expected at least " + count(allowed.least) + ", but got " +
                         (size == 0 ? "none" : std::to_string(size)));
    } else if (size > allowed.most) {
      invalid(place, "at most " + count(allowed.most) + " are supported, but got " + std::to_string(size));
    }
  }

  void check_text(const Node& value, const Rule& rule, const Place& place) {
    constexpr Length any;
    const bool measured = rule.text_length.least != any.least || rule.text_length.most != any.most;
    if (rule.words.empty() && !measured) return;
    const auto text = value.string();
    if (!rule.words.empty() && std::ranges::find(rule.words, text) == rule.words.end()) {
      return invalid(place, unlisted(rule.words, text));
    }
    check_length(utf8::characters_in(text), rule.text_length, "character", place);
  }

  /// `value` is of its type.
  void check_value(const Node& value, const Rule& rule, const Place& place) {
    switch (value.kind()) {
      case NodeKind::integer:
      case NodeKind::fraction:
        if (!rule.range.bounded() || rule.range.contains(value.number())) return;
        return invalid(place, "expected " + print(rule.range, rule.shape == Shape::integer) + ", but got " +
                                  value.print());
      case NodeKind::string: return check_text(value, rule, place);
      case NodeKind::list: {
        std::size_t size = 0;
        value.each_element([&](std::size_t i, const Node& element) {
          size = i + 1;
          if (element.kind() == NodeKind::string && matters(Fault::invalid_value)) {
            check_text(element, rule, place.element(i));
          }
        });
        if (matters(Fault::invalid_value)) check_length(size, rule.length, "element", place);
        return;
      }
      default: return;
    }
  }

  Speaker speaker_;
  Refused refused_;
  std::optional<Offence> worst_;
};

}  // namespace inferwire::inline v0_1::protocol
