#include "protocol/rules/offence.hpp"

#include "base/decimal.hpp"
#include "base/utf8.hpp"

#include <cmath>

namespace inferwire::inline v0_1::protocol {
namespace {

constexpr std::string_view name_of(ValueForm form) noexcept {
  switch (form) {
    case ValueForm::any: return "a value";
    case ValueForm::boolean: return "a boolean";
    case ValueForm::integer: return "an integer";
    case ValueForm::number: return "a number";
    case ValueForm::string: return "a string";
    case ValueForm::string_or_list: return "a string or a list of strings";
    case ValueForm::string_or_parts: return "a string or a list of objects";
    case ValueForm::string_or_object: return "a string or an object";
    case ValueForm::object: return "an object";
    case ValueForm::objects: return "a list of objects";
    case ValueForm::strings: return "a list of strings";
    case ValueForm::text_or_tokens: return "a string, a list of strings, or lists of token numbers";
  }
  return "a value";
}

std::string print(const Range& range, bool integer) {
  const std::string kind = integer ? "an integer" : "a number";
  if (std::isinf(range.to)) {
    return integer ? kind + " greater than " + print_decimal(range.from - 1)
                   : kind + " of at least " + print_decimal(range.from);
  }
  return kind + " in " + (range.above ? "(" : "[") + print_decimal(range.from) + ", " +
         print_decimal(range.to) + "]";
}

/// The beginning of what a document has, as much of it as a message quotes.
std::string quote(std::string_view text) { return std::string(utf8::whole_characters(text, 64)); }

}  // namespace

void WorstOffence::unknown_member(const Place& place, std::string_view name) {
  worst_ = {Fault::unknown_member, place.text(), {}, std::string(name), {}};
}

void WorstOffence::missing(const Place& place) { worst_ = {Fault::missing, place.text(), {}, {}, {}}; }

void WorstOffence::unsupported(const Place& place) {
  worst_ = {Fault::unsupported, place.text(), {}, {}, {}};
}

void WorstOffence::wrong_type(const Place& place, std::string_view expected, NodeKind got) {
  if (!matters(Fault::wrong_type)) return;
  worst_ = {Fault::wrong_type, place.text(), std::string(expected), std::string(name_of(got)), {}};
}

void WorstOffence::wrong_type(const Place& place, ValueForm expected, NodeKind got) {
  wrong_type(place, name_of(expected), got);
}

void WorstOffence::unlisted(const Place& place, std::span<const std::string_view> known,
                            std::string_view word) {
  std::string text = known.size() == 1 ? "expected " : "expected one of ";
  for (const auto one : known) text += (one == known.front() ? "'" : ", '") + std::string(one) + "'";
  invalid(place, text + ", but got '" + quote(word) + "'");
}

void WorstOffence::not_plain(const Place& place, std::string_view text) {
  invalid(place,
          "expected a string that matches the pattern '^[a-zA-Z0-9_-]+$', but got '" + quote(text) + "'");
}

void WorstOffence::out_of_range(const Place& place, const Rule& rule, std::string_view number) {
  invalid(place,
          "expected " + print(rule.range, rule.form == ValueForm::integer) + ", but got " + quote(number));
}

void WorstOffence::too_long(const Place& place, std::string_view integer) {
  invalid(place, "expected an integer of 64 bits, but got " + quote(integer));
}

void WorstOffence::check_size(const Place& place, std::size_t size, const Length& allowed,
                              std::string_view unit) {
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

void WorstOffence::invalid(const Place& place, std::string problem) {
  worst_ = {Fault::invalid_value, place.text(), {}, {}, std::move(problem)};
}

}  // namespace inferwire::inline v0_1::protocol
