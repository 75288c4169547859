// Reads described structs from JSON.
#include "base/decimal.hpp"
#include "base/utf8.hpp"
#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/place.hpp"
#include "json/scanner.hpp"
#include "json/whole_number.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::detail {
namespace {

using Kind = Shape::Kind;

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

/// The value of a number as the shape holds it: for a float the nearest one, values too large for a float
/// unchanged. Not by way of `value`, the nearest double: the shortest spelling of the limit is beyond the
/// limit, and rounding twice may give a neighbouring float.
double as_held(const Shape& shape, std::string_view token, double value) {
  if (!shape.is_float) return value;
  const auto number = parse_float(token);
  return number ? double{*number} : value;
}

/// Whether a whole number is below a bound. Exact: from 2^53 on, a double is the nearest of several whole
/// numbers.
bool is_below(WholeNumber number, double bound) {
  constexpr double beyond = 18446744073709551616.0;  // 2^64
  bound = std::ceil(bound);
  const bool negative = number.negative && number.magnitude > 0;
  if (negative != (bound < 0)) return negative;
  const auto far = std::abs(bound);
  if (far >= beyond) return !negative;
  const auto magnitude = static_cast<std::uint64_t>(far);
  return negative ? number.magnitude > magnitude : number.magnitude < magnitude;
}
bool is_below(double number, double bound) { return number < bound; }

WholeNumber negated(WholeNumber number) { return {number.magnitude, !number.negative}; }
double negated(double number) { return -number; }

/// The bound in `facts` that a number does not keep to; nullptr if there is none.
template <class Number>
const std::optional<double>* missed_bound(Number number, const MemberFacts& facts) {
  if (facts.minimum && is_below(number, *facts.minimum)) return &facts.minimum;
  if (facts.maximum && is_below(negated(number), -*facts.maximum)) return &facts.maximum;
  return nullptr;
}

/// Whether a list may have as many elements.
bool may_have(const Shape& list, const MemberFacts& facts, std::size_t size) {
  if (list.fixed_size) return size == *list.fixed_size;
  return size >= facts.min_items.value_or(0) && size <= facts.max_items.value_or(size);
}

/// The part of a value that messages quote.
std::string quoted_part(std::string_view token) { return std::string(utf8::whole_characters(token, 64)); }

/// How well a document fits the schema of a shape, if additional members were allowed. The greater of two
/// fits better.
struct Fit {
  enum class Rank : std::uint8_t { none, some, all } rank{};
  std::size_t known{};   ///< how many of the document's members it has
  bool exact{};          ///< nothing is missing but optional members, and all that was looked at fits
  std::size_t before{};  ///< how many elements come before the first one that does not fit
  bool whole{};          ///< all its members are present, including optional ones

  auto operator<=>(const Fit&) const = default;
};
constexpr Fit no_fit{}, some_fit{.rank = Fit::Rank::some}, all_fit{.rank = Fit::Rank::all, .exact = true};

/// How far a document is looked into: to the members of an object, or only to its brace. The values of
/// members are looked at in the latter way, so that choosing among alternatives takes linear time.
enum class Look : std::uint8_t { at_members, at_brace };

/// Reads a well-formed document.
class ShapeReader {
 public:
  explicit ShapeReader(Error& error) : error_(error) {}

  bool read(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
            const json::Place& place) {
    token = json::trim(token);
    switch (shape.kind) {
      case Kind::boolean: return boolean(shape, token, to, place);
      case Kind::integer: return integer(shape, token, to, facts, place);
      case Kind::number: return number(shape, token, to, facts, place);
      case Kind::text: return text(token, to, place);
      case Kind::json: return *static_cast<Json*>(to) = Json::raw(std::string(token)), true;
      case Kind::word: return word(shape, token, to, place);
      case Kind::object: return object(shape, token, to, place);
      case Kind::list: return list(shape, token, to, facts, place);
      case Kind::variant: return variant(shape, token, to, place);
      case Kind::optional: break;
    }
    shape.clear(to);
    return token == "null" || read(*shape.inner, token, shape.add(to), facts, place);
  }

 private:
  bool fail(const json::Place& place, std::string detail) {
    error_ = Error{.kind = ErrorKind::schema, .detail = std::move(detail), .path = place.text()};
    return false;
  }
  bool unexpected(const json::Place& place, std::string_view expected, std::string_view token) {
    return fail(place,
                "expected " + std::string(expected) + ", but got " + std::string(name_of_value(token)));
  }

  bool boolean(const Shape& shape, std::string_view token, void* to, const json::Place& place) {
    if (token != "true" && token != "false") return unexpected(place, "a boolean", token);
    return shape.set_whole(to, {.magnitude = token == "true" ? 1U : 0U});
  }

  template <class Number>
  bool within(Number value, std::string_view token, const MemberFacts& facts, const json::Place& place) {
    const auto* const bound = missed_bound(value, facts);
    if (bound == nullptr) return true;
    return fail(place, std::string("expected at ") + (bound == &facts.minimum ? "least " : "most ") +
                           print_decimal(**bound) + ", but got " + quoted_part(token));
  }

  bool unfit(const json::Place& place, std::string_view expected, std::string_view token) {
    if (name_of_value(token) != "a number") return unexpected(place, expected, token);
    return fail(place, "expected " + std::string(expected) + " that fits, but got " + quoted_part(token));
  }

  bool integer(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
               const json::Place& place) {
    const auto value = json::whole_number(token);
    if (!value || !shape.set_whole(to, *value)) {
      const auto number = json::number_of(token);
      if (!number || std::trunc(*number) == *number) return unfit(place, "an integer", token);
      return fail(place, "expected an integer, but got " + quoted_part(token));
    }
    return within(*value, token, facts, place);
  }

  bool number(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
              const json::Place& place) {
    const auto value = json::number_of(token);
    if (!value || !shape.set_number(to, as_held(shape, token, *value)))
      return unfit(place, "a number", token);
    return within(*value, token, facts, place);
  }

  bool text(std::string_view token, void* to, const json::Place& place) {
    auto value = json::string_of(token);
    if (!value) return unexpected(place, "a string", token);
    *static_cast<std::string*>(to) = *std::move(value);
    return true;
  }

  static std::size_t place_of_word(const Shape& shape, const std::optional<std::string>& word) {
    std::size_t place = 0;
    while (place < shape.count && word != shape.word(place)) ++place;
    return place;
  }
  bool word(const Shape& shape, std::string_view token, void* to, const json::Place& place) {
    const auto value = json::string_of(token);
    if (!value) return unexpected(place, "a string", token);
    const auto found = place_of_word(shape, value);
    if (found < shape.count) return shape.set_whole(to, {.magnitude = found});
    std::string known;
    for (std::size_t i = 0; i < shape.count; ++i) {
      known += (i == 0 ? "'" : ", '") + std::string(shape.word(i)) + "'";
    }
    return fail(place, "expected one of " + known + ", but got '" + quoted_part(*value) + "'");
  }

  static Fit fit(const Shape& shape, std::string_view token, const MemberFacts& facts, Look look) {
    token = json::trim(token);
    const auto all_if = [](bool fits) { return fits ? all_fit : no_fit; };
    switch (shape.kind) {
      case Kind::boolean: return all_if(token == "true" || token == "false");
      case Kind::integer: {
        const auto value = json::whole_number(token);
        if (!value) return no_fit;
        const bool fits = shape.set_whole(nullptr, *value) && missed_bound(*value, facts) == nullptr;
        return fits ? all_fit : some_fit;
      }
      case Kind::number: {
        const auto value = json::number_of(token);
        if (!value) return no_fit;
        const bool fits = shape.set_number(nullptr, as_held(shape, token, *value)) &&
                          missed_bound(*value, facts) == nullptr;
        return fits ? all_fit : some_fit;
      }
      case Kind::text: return all_if(token.starts_with('"'));
      case Kind::word: return all_if(place_of_word(shape, json::string_of(token)) < shape.count);
      case Kind::list: return token.starts_with('[') ? fit_of_elements(shape, token, facts, look) : no_fit;
      case Kind::object:
        if (look == Look::at_brace) return all_if(token.starts_with('{'));
        return token.starts_with('{') ? fit_of_members(shape, token) : no_fit;
      case Kind::variant: return best_of(shape, token, look).first;
      case Kind::optional: return token == "null" ? all_fit : fit(*shape.inner, token, facts, look);
      case Kind::json: break;
    }
    return all_fit;
  }
  static std::pair<Fit, std::size_t> best_of(const Shape& shape, std::string_view token, Look look) {
    std::pair best(no_fit, std::size_t{0});
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (const auto found = fit(*shape.alternatives[i], token, {}, look); found > best.first) {
        best = {found, i};
      }
    }
    return best;
  }
  /// The fit of a list that `found` describes up to what it must not have.
  static Fit in_part(const Fit& found) {
    return {.rank = Fit::Rank::some, .known = found.known, .before = found.before};
  }
  static Fit fit_of_elements(const Shape& shape, std::string_view token, const MemberFacts& facts,
                             Look look) {
    Fit found = all_fit;
    std::size_t size = 0;
    for (json::Items items(token); items.next(); ++size) {
      const auto element = fit(*shape.inner, items.value(), {}, look);
      found.known += element.known;
      found.whole = element.whole && (size == 0 || found.whole);
      if (!element.exact && found.exact) {
        found.exact = false;
        found.before = size;
      }
      if (element.rank != Fit::Rank::all) return in_part(found);
    }
    if (may_have(shape, facts, size)) return found;
    if (found.exact) found.before = size;
    return in_part(found);
  }
  static Fit fit_of_members(const Shape& shape, std::string_view token) {
    std::vector<bool> seen(shape.count);
    Fit found{.rank = Fit::Rank::all, .exact = true, .whole = true};
    for (json::Items items(token); items.next();) {
      const auto* const end = shape.members + shape.count;
      const auto* const member = std::find_if(
          shape.members, end, [key = items.key()](const ShapeMember& one) { return one.name == key; });
      if (member == end) continue;
      const auto value = fit(*member->shape, items.value(), member->facts, Look::at_brace);
      const bool optional = member->shape->kind == Kind::optional;
      const Shape& told = optional ? *member->shape->inner : *member->shape;
      if (told.kind == Kind::word && !value.exact) return no_fit;
      found.exact = found.exact && value.exact;
      seen[static_cast<std::size_t>(member - shape.members)] = true;
    }
    for (std::size_t i = 0; i < shape.count; ++i) {
      if (seen[i]) {
        ++found.known;
        continue;
      }
      found.whole = false;
      if (shape.members[i].shape->kind == Kind::optional) continue;
      found.rank = Fit::Rank::some;
      found.exact = false;
    }
    return found;
  }

  /// The alternative that takes any document; the number of alternatives if there is none.
  static std::size_t place_of_json(const Shape& variant) {
    std::size_t place = 0;
    while (place < variant.count && variant.alternatives[place]->kind != Kind::json) ++place;
    return place;
  }

  bool variant(const Shape& shape, std::string_view token, void* to, const json::Place& place) {
    const auto [fits, best] = best_of(shape, token, Look::at_members);
    if (fits != no_fit) {
      if (read(*shape.alternatives[best], token, shape.choose(to, best), {}, place)) return true;
      const auto any = place_of_json(shape);
      return any < shape.count && read(*shape.alternatives[any], token, shape.choose(to, any), {}, place);
    }
    std::string known;
    for (std::size_t i = 0; i < shape.count; ++i) {
      known += (i == 0 ? "" : ", ") + name_of_shape(*shape.alternatives[i]);
    }
    return fail(place, "expected one of these: " + known + "; but got " + std::string(name_of_value(token)) +
                           " that is none of them");
  }

  bool object(const Shape& shape, std::string_view token, void* to, const json::Place& place) {
    if (!token.starts_with('{')) return unexpected(place, "an object", token);
    std::vector<bool> seen(shape.count);
    for (json::Items items(token); items.next();) {
      const auto key = items.key();
      for (std::size_t i = 0; i < shape.count; ++i) {
        const auto& member = shape.members[i];
        if (member.name != key) continue;
        if (!read(*member.shape, items.value(), member.in(to), member.facts, place.member(key))) return false;
        seen[i] = true;
        break;
      }
    }
    for (std::size_t i = 0; i < shape.count; ++i) {
      const auto& member = shape.members[i];
      if (seen[i]) continue;
      if (member.shape->kind != Kind::optional) return fail(place.member(member.name), "it is missing");
      member.shape->clear(member.in(to));
    }
    return true;
  }

  bool list(const Shape& shape, std::string_view token, void* to, const MemberFacts& facts,
            const json::Place& place) {
    if (!token.starts_with('[')) return unexpected(place, "a list", token);
    if (shape.fixed_size) return array(shape, token, to, place);
    shape.clear(to);
    std::size_t size = 0;
    for (json::Items items(token); items.next(); ++size) {
      if (!read(*shape.inner, items.value(), shape.add(to), {}, place.element(size))) return false;
    }
    if (may_have(shape, facts, size)) return true;
    const bool few = size < facts.min_items.value_or(0);
    return fail(place, std::string("expected at ") + (few ? "least " : "most ") +
                           std::to_string(few ? *facts.min_items : *facts.max_items) + " elements, but got " +
                           std::to_string(size));
  }
  bool array(const Shape& shape, std::string_view token, void* to, const json::Place& place) {
    const auto wanted = *shape.fixed_size;
    std::size_t size = 0;
    for (json::Items items(token); items.next(); ++size) {
      if (size >= wanted) continue;
      if (!read(*shape.inner, items.value(), shape.slot(to, size), {}, place.element(size))) return false;
    }
    if (size == wanted) return true;
    return fail(place, "expected " + std::to_string(wanted) + " elements, but got " + std::to_string(size));
  }

  Error& error_;
};

}  // namespace

Result<void> read_shape(const Shape& shape, const Json& document, void* value) {
  if (auto checked = json::check(document.text()); !checked) return checked;
  Error error;
  const auto text = json::without_byte_order_mark(document.text());
  if (!ShapeReader(error).read(shape, text, value, {}, json::Place())) return error;
  return {};
}

}  // namespace inferwire::inline v0_1::detail
