#include "protocol/rules/rule_walk.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "json/scanner.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::protocol {
namespace {

NodeKind kind_of(std::string_view value) {
  switch (value.front()) {
    case 'n': return NodeKind::null;
    case 't':
    case 'f': return NodeKind::boolean;
    case '"': return NodeKind::string;
    case '[': return NodeKind::list;
    case '{': return NodeKind::object;
    default: return value.find_first_of(".eE") == value.npos ? NodeKind::integer : NodeKind::fraction;
  }
}

bool lists_objects(ValueForm form) {
  return form == ValueForm::objects || form == ValueForm::string_or_parts;
}

/// Whether a value of this kind has the right type, its elements aside.
bool fits(ValueForm form, NodeKind kind) {
  switch (form) {
    case ValueForm::any: return true;
    case ValueForm::boolean: return kind == NodeKind::boolean;
    case ValueForm::integer: return kind == NodeKind::integer;
    case ValueForm::number: return kind == NodeKind::integer || kind == NodeKind::fraction;
    case ValueForm::string: return kind == NodeKind::string;
    case ValueForm::object: return kind == NodeKind::object;
    case ValueForm::string_or_object: return kind == NodeKind::string || kind == NodeKind::object;
    case ValueForm::strings:
    case ValueForm::objects: return kind == NodeKind::list;
    case ValueForm::string_or_list:
    case ValueForm::string_or_parts:
    case ValueForm::text_or_tokens: return kind == NodeKind::string || kind == NodeKind::list;
  }
  return true;
}

/// Whether an integer fits into 64 bits, as far as a double can tell.
bool fits_64_bits(double integer) { return integer >= -0x1p63 && integer <= 0x1p63; }

bool is_plain(char c) { return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '-'; }

/// The last value of a member; "null" if it is absent.
std::string_view last_value(std::string_view object, std::string_view name) {
  std::string_view value = "null";
  for (json::Items items(object); items.next();) {
    if (items.key() == name) value = items.value();
  }
  return value;
}

bool is_in(State state, std::string_view value) {
  const bool absent = kind_of(value) == NodeKind::null;
  switch (state) {
    case State::present: return !absent;
    case State::is_true: return value == "true";
    case State::not_true: return value != "true";
    case State::zero: return json::number_of(value) == 0;
    case State::several: return json::number_of(value).value_or(0) > 1;
    case State::empty: return absent || json::is_empty_value(value);
    case State::filled: return !absent && !json::is_empty_value(value);
    case State::forces_tool:
      return kind_of(value) == NodeKind::object || json::string_of(value) == "required";
  }
  return false;
}

/// Walks through a document, value by value; once more only if members may be in conflict with others.
class RuleWalk {
 public:
  RuleWalk(Speaker speaker, Refused refused) : speaker_(speaker), refused_(refused) {}

  /// `open`: members without a rule are allowed.
  void object(std::string_view object, std::span<const Rule> rules, const Place& place, bool open = false) {
    std::uint64_t seen = 0;  // a bit for each rule
    bool may_conflict = false;
    for (json::Items items(object); items.next();) {
      const auto name = items.key();
      const auto here = place.member(name);
      const Rule* const rule = find_rule(rules, speaker_, name);
      if (rule == nullptr) {
        const bool refused = refused_.members && !open;
        if (refused && worst_.matters(Fault::unknown_member)) worst_.unknown_member(here, name);
        continue;
      }
      const auto bit = std::uint64_t{1} << (rule - rules.data());
      if (kind_of(items.value()) == NodeKind::null) {
        seen &= ~bit;
        continue;
      }
      seen |= bit;
      may_conflict = may_conflict || !rule->conflicts.empty();
      value(items.value(), *rule, here);
    }
    if (!worst_.matters(Fault::missing)) return;
    const auto is_seen = [&](const Rule& rule) { return (seen >> (&rule - rules.data()) & 1U) != 0; };
    const auto is_there = [&](std::string_view name) {
      const Rule* const rule = find_rule(rules, speaker_, name);
      return rule != nullptr && is_seen(*rule);
    };
    for (const Rule& rule : rules) {
      const bool wanted = rule.required && contains(rule.speakers, speaker_);
      if (!wanted || is_seen(rule) || std::ranges::any_of(rule.unless, is_there)) continue;
      return worst_.missing(place.member(rule.name));
    }
    if (may_conflict && worst_.matters(Fault::invalid_value)) conflicts(object, rules, place);
  }

  std::optional<Offence> take() && { return std::move(worst_).take(); }

 private:
  void conflicts(std::string_view object, std::span<const Rule> rules, const Place& place) {
    std::string_view last[most_rules];  // the last value of each rule's member
    std::ranges::fill(last, "null");
    const auto value_of = [&](std::string_view name) -> std::string_view* {
      const Rule* const rule = find_rule(rules, speaker_, name);
      return rule == nullptr ? nullptr : &last[rule - rules.data()];
    };
    for (json::Items items(object); items.next();) {
      if (auto* value = value_of(items.key())) *value = items.value();
    }
    for (const auto& rule : rules) {
      const auto own = last[&rule - rules.data()];
      if (own == "null") continue;
      for (const auto& conflict : rule.conflicts) {
        const auto* other = value_of(conflict.other);
        if (!is_in(conflict.own, own) || !is_in(conflict.others, other == nullptr ? "null" : *other))
          continue;
        return worst_.conflict(place.member(rule.name), conflict.problem);
      }
    }
  }

  void value(std::string_view value, const Rule& rule, const Place& place) {
    if (rule.refused) {
      if (worst_.matters(Fault::unsupported)) worst_.unsupported(place);
      return;
    }
    const auto kind = kind_of(value);
    if (!fits(rule.form, kind)) return worst_.wrong_type(place, rule.form, kind);
    switch (kind) {
      case NodeKind::integer:
      case NodeKind::fraction: return number(value, rule, place);
      case NodeKind::string: return text(value, rule, place);
      case NodeKind::list: return list(value, rule, place);
      case NodeKind::object: return members(value, rule, place);
      default: return;
    }
  }

  void number(std::string_view digits, const Rule& rule, const Place& place) {
    if (!worst_.matters(Fault::invalid_value)) return;
    const auto number = json::number_of(digits).value_or(0);
    if (!rule.range.contains(number)) return worst_.out_of_range(place, rule, digits);
    if (rule.form == ValueForm::integer && !fits_64_bits(number)) worst_.too_long(place, digits);
  }

  void text(std::string_view string, const Rule& rule, const Place& place) {
    constexpr Length any;
    const bool measured = rule.text_length.least != any.least || rule.text_length.most != any.most;
    const bool matters = measured || rule.plain || !rule.words.empty();
    if (!matters || !worst_.matters(Fault::invalid_value)) return;
    const auto text = json::string_of(string).value_or("");
    if (!rule.words.empty() && std::ranges::find(rule.words, text) == rule.words.end()) {
      return worst_.unlisted(place, rule.words, text);
    }
    if (rule.plain && !std::ranges::all_of(text, is_plain)) return worst_.not_plain(place, text);
    worst_.check_size(place, utf8::characters_in(text), rule.text_length, "character");
  }

  /// The first element of texts or tokens determines the type of all.
  void list(std::string_view list, const Rule& rule, const Place& place) {
    if (rule.form == ValueForm::any) return;
    auto wanted = lists_objects(rule.form) ? NodeKind::object : NodeKind::string;
    std::size_t size = 0;
    for (json::Items items(list); items.next(); ++size) {
      const auto kind = kind_of(items.value());
      const auto here = place.element(size);
      const bool may_be_token = kind == NodeKind::integer || kind == NodeKind::list;
      if (rule.form == ValueForm::text_or_tokens && size == 0 && may_be_token) wanted = kind;
      if (kind != wanted) {
        worst_.wrong_type(here, name_of(wanted), kind);
      } else if (kind == NodeKind::string) {
        text(items.value(), rule, here);
      } else if (kind == NodeKind::list) {
        tokens(items.value(), here);
      } else if (kind == NodeKind::object) {
        inside(items.value(), rule, here);
      }
    }
    if (worst_.matters(Fault::invalid_value)) worst_.check_size(place, size, rule.length, "element");
  }

  void members(std::string_view value, const Rule& rule, const Place& place) {
    inside(value, rule, place);
    constexpr Length any;
    if (rule.length.most == any.most || !worst_.matters(Fault::invalid_value)) return;
    std::size_t size = 0;
    for (json::Items items(value); items.next();) ++size;
    worst_.check_size(place, size, rule.length, "member");
  }

  void tokens(std::string_view list, const Place& place) {
    std::size_t size = 0;
    for (json::Items items(list); items.next(); ++size) {
      const auto kind = kind_of(items.value());
      if (kind != NodeKind::integer) worst_.wrong_type(place.element(size), name_of(NodeKind::integer), kind);
    }
    if (worst_.matters(Fault::invalid_value)) worst_.check_size(place, size, {.least = 1}, "token");
  }

  void inside(std::string_view value, const Rule& rule, const Place& place) {
    if (rule.variants.empty()) {
      if (!rule.members.empty()) object(value, rule.members, place, rule.open);
      return;
    }
    const auto type = last_value(value, "type");
    const auto kind = kind_of(type);
    if (kind == NodeKind::null) return object(value, rule.variants.front().members, place);
    const auto here = place.member("type");
    if (kind != NodeKind::string) return worst_.wrong_type(here, "a string", kind);
    const auto word = json::string_of(type).value_or("");
    for (const auto& variant : rule.variants) {
      if (word == variant.type) return object(value, variant.members, place);
    }
    if (!refused_.types || !worst_.matters(Fault::invalid_value)) return;
    std::vector<std::string_view> known;
    for (const auto& variant : rule.variants) known.push_back(variant.type);
    worst_.unlisted(here, known, word);
  }

  Speaker speaker_;
  Refused refused_;
  WorstOffence worst_;
};

}  // namespace

std::optional<Offence> find_offence(std::string_view document, std::span<const Rule> rules, Speaker speaker,
                                    Refused refused) {
  RuleWalk walk(speaker, refused);
  walk.object(json::trim(json::without_byte_order_mark(document)), rules, Place());
  return std::move(walk).take();
}

}  // namespace inferwire::inline v0_1::protocol
