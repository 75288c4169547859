#include "engine/constraint/schema_scalars.hpp"

#include "engine/constraint/regex.hpp"
#include "engine/constraint/schema_instance.hpp"
#include "engine/constraint/schema_keywords.hpp"
#include "engine/constraint/schema_limits.hpp"
#include "engine/constraint/schema_work.hpp"
#include "engine/utf8.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace inferwire::inline v0_1::engine {
namespace {

/// The maximum length of a string if its schema sets no limit.
constexpr std::uint32_t usual_text_length = 48;

std::optional<double> bound_of(const Schema& schema, const char* keyword) {
  const auto found = schema.find(keyword);
  return found == schema.end() ? std::nullopt : std::optional(found->get<double>());
}

/// Whether a value contains a number beyond 64-bit integers. It may have been written as an integer; if so,
/// digits are lost.
bool has_large_number(const Schema& value) {
  if (value.is_structured()) return std::ranges::any_of(value, has_large_number);
  return value.is_number_float() && (value.get<double>() >= 0x1p64 || value.get<double>() <= -0x1p63);
}

/// The pattern that strings of the schema's format match.
std::string_view format_of(GrammarDraft& draft, const Schema& schema) {
  const auto format = schema.find("format");
  if (format == schema.end()) return {};
  const auto& name = format->get_ref<const std::string&>();
  const auto pattern = pattern_of_format(name);
  if (pattern.empty() && !schema.contains("pattern")) {
    draft.report.refuse("format", "'" + shortened(name) + "' is not supported");
  }
  return pattern;
}

std::variant<Pattern, std::string> matched(GrammarDraft& draft, std::string_view regex, StringLength length) {
  auto& states = draft.budget.states;
  std::size_t work = 0;
  auto compiled = Pattern::compile(regex, length, std::min(most_states_of_pattern, states.left()), &work);
  states.spend(std::min(work, states.left()));  // never exceeded: `compiled` says if it is too large
  return compiled;
}

/// A format is an annotation: if combining it with the pattern is too complex, the pattern alone is used.
NodeId add_pattern(GrammarDraft& draft, Pattern pattern, const std::string& regex, std::string_view format,
                   StringLength length) {
  if (!format.empty()) {
    auto both = matched(draft, Regex::both(regex, std::string(format)), length);
    if (auto* found = std::get_if<Pattern>(&both)) return draft.add(PatternString{std::move(*found)});
    if (std::get<std::string>(both) == Pattern::unmatched) {
      draft.report.refuse("format", "it does not go with 'pattern'");
    }
  }
  return draft.add(PatternString{std::move(pattern)});
}

}  // namespace

NodeId add_string(GrammarDraft& draft, const Schema& schema) {
  StringLength length{.least = count_of(schema, "minLength", 0),
                      .most = count_of(schema, "maxLength", StringLength().most)};
  if (length.least > length.most) return draft.impossible("'minLength' is more than 'maxLength'");
  const auto format = format_of(draft, schema);
  if (const auto pattern = schema.find("pattern"); pattern != schema.end()) {
    const auto& regex = pattern->get_ref<const std::string&>();
    auto alone = matched(draft, regex, length);
    if (auto* found = std::get_if<Pattern>(&alone)) {
      return add_pattern(draft, std::move(*found), regex, format, length);
    }
    const auto& why = std::get<std::string>(alone);
    draft.report.refuse("pattern", why);
    if (why == Pattern::unmatched) return draft.impossible("'pattern': " + why);
  }
  if (!format.empty()) {
    auto alone = matched(draft, format, length);
    if (auto* found = std::get_if<Pattern>(&alone)) return draft.add(PatternString{std::move(*found)});
    draft.report.refuse("format", std::get<std::string>(alone));
  }
  length.most = std::min(length.most, std::max(length.least, usual_text_length));
  return draft.add(FreeString{length});
}

NodeId add_number(GrammarDraft& draft, const Schema& schema, bool integer) {
  NumberBounds bounds{.minimum = bound_of(schema, "minimum"),
                      .maximum = bound_of(schema, "maximum"),
                      .above = bound_of(schema, "exclusiveMinimum"),
                      .below = bound_of(schema, "exclusiveMaximum")};
  if (integer) bounds.decimals = 0;
  if (const auto step = bound_of(schema, "multipleOf"); step && !limit_to_multiples(bounds, *step)) {
    draft.report.refuse("multipleOf", "only numbers of up to " + std::to_string(most_digits) + " digits, " +
                                          std::to_string(most_decimals) +
                                          " of them behind the point, are supported");
  }
  const auto range = NumberRange::between(bounds);
  return range ? draft.add(Number{*range}) : draft.impossible("no number below 9e15 keeps its bounds");
}

NodeId add_texts(GrammarDraft& draft, std::vector<std::string> texts) {
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::size_t characters = 0;
  for (const auto& text : texts) characters += text.size();
  if (!draft.afford(draft.budget.characters, characters)) return draft.impossible();
  Literals literals;
  for (auto& text : texts) literals.texts.push_back(draft.grammar.spell(std::move(text)));
  return draft.add(std::move(literals));
}

NodeId add_listed(GrammarDraft& draft, const Schema& schema, const Schema& document) {
  auto& copies = draft.budget.copies;
  if (!draft.afford(copies, work_of_copying(schema))) return draft.impossible();
  const auto* const list = schema.contains("const") ? "const" : "enum";
  auto others = schema;
  others.erase(list);
  InstanceCheck check(document, draft.report.strictness() == Strictness::lenient, copies);
  std::vector<std::string> texts;
  const auto add = [&](const Schema& value) {
    if (has_large_number(value)) draft.report.refuse(list, "it has a number beyond 64 bits");
    if (check.holds(others, value)) texts.push_back(print(value));
  };
  if (schema.contains("const")) {
    add(schema["const"]);
  } else {
    for (const auto& value : schema["enum"]) add(value);
  }
  if (!draft.afford(copies, 0)) return draft.impossible();  // the check may have spent them
  return texts.empty() ? draft.impossible("no value that is listed keeps the rest of it")
                       : add_texts(draft, std::move(texts));
}

}  // namespace inferwire::inline v0_1::engine
