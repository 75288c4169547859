/// \file
/// Checks a request's document against the rules of its provider, independent of how the document is stored:
/// the engine refuses offences, the client reports them before it sends anything.
#pragma once

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "protocol/rules/offence.hpp"
#include "protocol/rules/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::protocol {

/// Walks through a document once. A `Node` is one of its values, cheap to copy:
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
  /// Whether unlisted members and types are refused.
  struct Refused {
    bool members{};
    bool types{};  ///< for objects whose members depend on their type
  };

  /// The gravest offence in the document, the first of equally grave ones, in this order: unknown members (if
  /// they are `refused`), missing members, wrong types, values out of range.
  static std::optional<Offence> check(const Node& document, std::span<const Rule> rules, Speaker speaker,
                                      Refused refused) {
    RuleWalk walk(speaker, refused);
    walk.object(document, rules, Place());
    return std::move(walk.worst_).take();
  }

 private:
  RuleWalk(Speaker speaker, Refused refused) : speaker_(speaker), refused_(refused) {}

  void object(const Node& object, std::span<const Rule> rules, const Place& place) {
    std::uint64_t seen = 0;  // a bit for each rule
    object.each_member([&](std::string_view name, const Node& value) {
      const auto here = place.member(name);
      const Rule* const rule = find_rule(rules, speaker_, name);
      if (rule == nullptr) {
        if (refused_.members && worst_.matters(Fault::unknown_member)) worst_.unknown_member(here, name);
        return;
      }
      if (value.kind() == NodeKind::null) return;
      seen |= std::uint64_t{1} << (rule - rules.data());
      if (rule->refused) {
        if (worst_.matters(Fault::unsupported)) worst_.unsupported(here);
        return;
      }
      const bool fits = check_type(value, *rule, here);
      if (fits && worst_.matters(Fault::invalid_value)) check_value(value, *rule, here);
      below(value, *rule, here);
    });
    if (!worst_.matters(Fault::missing)) return;
    const auto is_there = [&](std::string_view name) {
      const Rule* const rule = find_rule(rules, speaker_, name);
      return rule != nullptr && (seen >> (rule - rules.data()) & 1U) != 0;
    };
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const bool wanted = rules[i].required && contains(rules[i].speakers, speaker_);
      if (!wanted || (seen >> i & 1U) != 0 || std::ranges::any_of(rules[i].unless, is_there)) continue;
      return worst_.missing(place.member(rules[i].name));
    }
  }

  void below(const Node& value, const Rule& rule, const Place& place) {
    if (rule.members.empty() && rule.variants.empty()) return;
    if (value.kind() == NodeKind::object && !lists_objects(rule)) inside(value, rule, place);
    if (value.kind() != NodeKind::list || !lists_objects(rule)) return;
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
    if (type->kind() != NodeKind::string) return worst_.wrong_type(here, "a string", type->kind());
    const auto word = type->string();
    for (const auto& variant : rule.variants) {
      if (word == variant.type) return object(value, variant.members, place);
    }
    if (!refused_.types || !worst_.matters(Fault::wrong_type)) return;
    std::vector<std::string_view> known;
    for (const auto& variant : rule.variants) known.push_back(variant.type);
    worst_.unlisted(here, known, word);
  }

  static bool lists_objects(const Rule& rule) {
    return rule.form == ValueForm::objects || rule.form == ValueForm::string_or_parts;
  }

  /// Whether a value has the right type.
  bool check_type(const Node& value, const Rule& rule, const Place& place) {
    const auto kind = value.kind();
    const auto expect = [&](bool fits) {
      if (!fits) worst_.wrong_type(place, rule.form, kind);
      return fits;
    };
    switch (rule.form) {
      case ValueForm::any: return true;
      case ValueForm::boolean: return expect(kind == NodeKind::boolean);
      case ValueForm::integer: return expect(kind == NodeKind::integer);
      case ValueForm::number: return expect(kind == NodeKind::integer || kind == NodeKind::fraction);
      case ValueForm::string: return expect(kind == NodeKind::string);
      case ValueForm::object: return expect(kind == NodeKind::object);
      case ValueForm::string_or_object: return expect(kind == NodeKind::string || kind == NodeKind::object);
      case ValueForm::strings:
      case ValueForm::objects: return expect(kind == NodeKind::list) && check_elements(value, rule, place);
      case ValueForm::text_or_tokens: return check_texts_or_tokens(value, place);
      case ValueForm::string_or_list:
      case ValueForm::string_or_parts:
        if (kind == NodeKind::string) return true;
        return expect(kind == NodeKind::list) && check_elements(value, rule, place);
    }
    return true;
  }

  bool check_elements(const Node& list, const Rule& rule, const Place& place) {
    const auto wanted = lists_objects(rule) ? NodeKind::object : NodeKind::string;
    bool good = true;
    list.each_element([&](std::size_t i, const Node& element) {
      if (element.kind() == wanted) return;
      if (good) worst_.wrong_type(place.element(i), name_of(wanted), element.kind());
      good = false;
    });
    return good;
  }

  /// Whether an integer fits into 64 bits, as far as a double can tell.
  static bool fits_64_bits(double integer) { return integer >= -0x1p63 && integer <= 0x1p63; }

  bool check_tokens(const Node& list, const Place& place) {
    bool good = true;
    std::size_t size = 0;
    list.each_element([&](std::size_t i, const Node& token) {
      size = i + 1;
      if (token.kind() == NodeKind::integer) return;
      if (good) worst_.wrong_type(place.element(i), name_of(NodeKind::integer), token.kind());
      good = false;
    });
    if (size == 0 && worst_.matters(Fault::invalid_value)) worst_.check_size(place, 0, {.least = 1}, "token");
    return good && size > 0;
  }

  /// The first element of a list determines the type of all.
  bool check_texts_or_tokens(const Node& value, const Place& place) {
    if (value.kind() == NodeKind::string) return true;
    if (value.kind() != NodeKind::list) {
      worst_.wrong_type(place, ValueForm::text_or_tokens, value.kind());
      return false;
    }
    auto wanted = NodeKind::string;
    bool good = true;
    value.each_element([&](std::size_t i, const Node& element) {
      const auto kind = element.kind();
      if (i == 0 && (kind == NodeKind::integer || kind == NodeKind::list)) wanted = kind;
      if (kind == wanted) {
        if (kind == NodeKind::list && good) good = check_tokens(element, place.element(i));
        return;
      }
      if (good) worst_.wrong_type(place.element(i), name_of(wanted), kind);
      good = false;
    });
    return good;
  }

  void check_text(const Node& value, const Rule& rule, const Place& place) {
    constexpr Length any;
    const bool measured = rule.text_length.least != any.least || rule.text_length.most != any.most;
    if (rule.words.empty() && !measured && !rule.plain) return;
    const auto text = value.string();
    if (!rule.words.empty() && std::ranges::find(rule.words, text) == rule.words.end()) {
      return worst_.unlisted(place, rule.words, text);
    }
    if (rule.plain && !std::ranges::all_of(text, is_plain)) return worst_.not_plain(place, text);
    worst_.check_size(place, utf8::characters_in(text), rule.text_length, "character");
  }

  static bool is_plain(char c) { return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '-'; }

  /// `value` has the right type.
  void check_value(const Node& value, const Rule& rule, const Place& place) {
    switch (value.kind()) {
      case NodeKind::integer:
      case NodeKind::fraction:
        if (!rule.range.contains(value.number())) {
          return worst_.out_of_range(place, rule, value.print());
        }
        if (rule.form == ValueForm::integer && !fits_64_bits(value.number())) {
          worst_.too_long(place, value.print());
        }
        return;
      case NodeKind::string: return check_text(value, rule, place);
      case NodeKind::list: {
        std::size_t size = 0;
        value.each_element([&](std::size_t i, const Node& element) {
          size = i + 1;
          if (element.kind() == NodeKind::string && worst_.matters(Fault::invalid_value)) {
            check_text(element, rule, place.element(i));
          }
        });
        if (worst_.matters(Fault::invalid_value)) worst_.check_size(place, size, rule.length, "element");
        return;
      }
      default: return;
    }
  }

  Speaker speaker_;
  Refused refused_;
  WorstOffence worst_;
};

}  // namespace inferwire::inline v0_1::protocol
