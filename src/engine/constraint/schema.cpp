#include "engine/constraint/schema.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/constraint/regex.hpp"
#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_cause.hpp"
#include "engine/constraint/schema_instance.hpp"
#include "engine/constraint/schema_keywords.hpp"
#include "engine/constraint/schema_limits.hpp"
#include "engine/constraint/schema_merge.hpp"
#include "engine/constraint/schema_subset.hpp"
#include "engine/constraint/schema_work.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

constexpr int deepest_nesting = 64;
/// With all references on the way.
constexpr int deepest_in_all = 256;
constexpr std::size_t most_schema_nodes = 5'000;
constexpr std::size_t most_pattern_states = 2'000, most_states = 4'000;
/// Values that are copied and compared where keywords are combined: to do so for every property of a schema
/// with a part that is large would take forever.
constexpr std::size_t most_copies = 2'000'000;
/// Characters of all texts that are written as they are listed.
constexpr std::size_t most_spelt = 1'000'000;

// What has no limit in the schema.
constexpr std::uint32_t usual_text_length = 48, usual_elements = 4;

/// What stands under a keyword, or null, which has no elements: schemas are too large to be copied on the
/// way.
const Schema& value_under(const Schema& schema, const char* keyword) {
  static const Schema none;
  const auto found = schema.find(keyword);
  return found == schema.end() ? none : *found;
}

std::uint32_t count_of(const Schema& schema, const char* keyword, std::uint32_t otherwise) {
  const auto found = schema.find(keyword);
  if (found == schema.end()) return otherwise;
  return static_cast<std::uint32_t>(std::min(std::ceil(found->get<double>()), 4e9));
}

std::optional<double> number_of(const Schema& schema, const char* keyword) {
  const auto found = schema.find(keyword);
  return found == schema.end() ? std::nullopt : std::optional(found->get<double>());
}

/// Whether a value has a number that is no 64-bit integer, but may have been written as an integer: its
/// digits are lost.
bool has_large_number(const Schema& value) {
  if (value.is_structured()) return std::ranges::any_of(value, has_large_number);
  return value.is_number_float() && (value.get<double>() >= 0x1p64 || value.get<double>() <= -0x1p63);
}

/// The type that keywords are about; empty when they are about none, or there are none.
std::string implied_type(const Schema& schema) {
  const auto has_any = [&](std::initializer_list<const char*> keywords) {
    return std::ranges::any_of(keywords, [&](const char* keyword) { return schema.contains(keyword); });
  };
  if (has_any({"properties", "required", "additionalProperties", "minProperties", "maxProperties"}))
    return "object";
  if (has_any({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"})) return "array";
  if (has_any({"minLength", "maxLength", "pattern", "format"})) return "string";
  if (has_any({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})) return "number";
  return {};
}

std::set<std::string> names_in(const Schema& list) {
  std::set<std::string> names;
  for (const auto& name : list) {
    if (name.is_string()) names.insert(name.get<std::string>());
  }
  return names;
}

class Compiler {
 public:
  Compiler(const Schema& document, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary)
      : document_(document), strictness_(strictness), grammar_(std::move(vocabulary)) {}

  std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile() {
    if (count_values(document_) > most_schema_values) fail("it has too many parts");
    const auto root = visit(document_, 0);
    const auto share = [](std::size_t of, std::size_t most) {
      return static_cast<double>(of) / static_cast<double>(most);
    };
    work_ = share(grammar_.size(), most_schema_nodes) + share(states_, most_states) +
            share(copies_, most_copies) + share(spelt_, most_spelt);
    if (!fault_ && strictness_ == Strictness::openai) fault_ = outside_of_subset(document_);
    if (fault_) return *std::move(fault_);
    grammar_.close(root);
    if (grammar_.cost() < unreachable) return std::make_shared<const Grammar>(std::move(grammar_));
    return why_impossible(grammar_, causes_);
  }

  /// How much it was to compile: 1 for each limit that it came to.
  double work() const noexcept { return work_; }

 private:
  /// The first fault counts.
  NodeId fail(std::string problem) {
    if (fault_) return impossible();
    fault_ = SchemaFault{.context = context_of(path_), .problem = std::move(problem)};
    return impossible();
  }
  /// For what a lenient compiler leaves out.
  void refuse(std::string_view keyword, std::string_view why) {
    if (strictness_ == Strictness::lenient) return;
    fail("'" + std::string(keyword) + "' is not permitted" + (why.empty() ? "" : ": ") + std::string(why));
  }

  NodeId impossible() { return grammar_.add(Alternatives{}); }
  /// The same, of what is told where a whole text needs it.
  NodeId impossible(std::string why) {
    const auto id = impossible();
    causes_.emplace(id, SchemaFault{.context = context_of(path_), .problem = std::move(why)});
    return id;
  }

  /// Whether as much may be copied; false after a fault.
  bool afford(std::size_t work) {
    copies_ += work;
    if (copies_ > most_copies) fail("it has too many parts");
    return !fault_;
  }

  NodeId visit_at(std::initializer_list<std::string> steps, const Schema& schema, int depth) {
    path_.insert(path_.end(), steps);
    const auto id = visit(schema, depth + 1);
    path_.resize(path_.size() - steps.size());
    return id;
  }

  NodeId visit(const Schema& schema, int depth) {
    if (fault_) return impossible();
    const bool too_deep = depth > deepest_nesting || levels_ >= deepest_in_all;
    if (too_deep) return fail("it is nested deeper than " + std::to_string(deepest_nesting) + " levels");
    ++levels_;
    const auto id = visit_shallow(schema, depth);
    --levels_;
    return id;
  }

  NodeId visit_shallow(const Schema& schema, int depth) {
    if (grammar_.size() > most_schema_nodes) return fail("it has too many parts");
    if (schema.is_boolean()) return schema.get<bool>() ? anything() : impossible("nothing is allowed");
    if (!schema.is_object()) return fail("a schema is expected to be an object or a boolean");
    if (!check(schema)) return impossible();
    if (schema.contains("$ref") || schema.contains("allOf")) return combined(schema, depth);
    for (const auto* const alternatives : {"anyOf", "oneOf"}) {
      if (schema.contains(alternatives)) return choice(schema, alternatives, depth);
    }
    if (schema.contains("const") || schema.contains("enum")) return literals(schema);
    if (const auto type = schema.find("type"); type != schema.end() && type->is_array()) {
      Alternatives choice;
      for (const auto& one : *type) {
        if (grammar_.size() > most_schema_nodes) return fail("it has too many parts");
        choice.of.push_back(typed(schema, one.get<std::string>(), depth + 1));
      }
      return grammar_.add(std::move(choice));
    }
    return typed(schema, schema.value("type", implied_type(schema)), depth);
  }

  /// Keywords that are known, and shaped as they have to be.
  bool check(const Schema& schema) {
    for (const auto& [keyword, value] : schema.items()) {
      if (is_annotation(keyword)) continue;
      if (!shape_of(keyword) || (keyword == "oneOf" && strictness_ != Strictness::lenient)) {
        refuse(keyword, "");
      } else if (auto problem = fault_of_value(keyword, value); !problem.empty()) {
        fail(std::move(problem));
      }
    }
    return !fault_;
  }

  // --- References and combinations ---

  const Schema* resolve(const std::string& reference) {
    const auto* target = find_reference(document_, reference);
    if (target == nullptr) fail("'$ref' cannot be resolved: '" + reference.substr(0, 64) + "'");
    return target;
  }

  /// A reference is a node of its own, alone or with what stands beside it, so that schemas may lead back to
  /// themselves.
  NodeId combined(const Schema& schema, int depth) {
    const bool alone = std::ranges::all_of(
        schema.items(), [](const auto& item) { return item.key() == "$ref" || is_annotation(item.key()); });
    if (alone) return referenced(schema["$ref"].get<std::string>());
    auto whole = without_annotations(schema);
    if (!afford(work_of_copying(whole))) return impossible();
    auto text = whole.dump();  // combinations are kept by their texts
    if (!afford(work_of_writing(text.size()))) return impossible();
    if (const auto known = combinations_.find(text); known != combinations_.end()) return known->second;
    const auto id = impossible();
    combinations_.emplace(std::move(text), id);
    const auto inner = put_together(std::move(whole), depth);
    grammar_.replace(id, Alternatives{{inner}});
    return id;
  }

  NodeId put_together(Schema rest, int depth) {
    std::vector<Schema> more;
    std::set<std::string> references;
    take_apart(rest, more, references);
    for (std::size_t at = 0; at < more.size(); ++at) {
      auto other = std::move(more[at]);
      if (!afford(work_of_merging(rest, other))) return impossible();
      if (other.is_object()) {
        if (!check(other)) return impossible();
        take_apart(other, more, references);
      }
      if (const auto conflict = merge_into(rest, other); !conflict.empty()) {
        refuse(conflict, "it cannot be combined with another '" + conflict + "'");
      }
    }
    return visit(rest, depth + 1);
  }

  /// Moves what a schema is besides, by allOf and $ref, to the end of `more`. What has been referred to once
  /// is there already: schemas that are a part of themselves ask for nothing by that.
  void take_apart(Schema& schema, std::vector<Schema>& more, std::set<std::string>& references) {
    if (const auto all = schema.find("allOf"); all != schema.end()) {
      std::ranges::move(*all, std::back_inserter(more));
      schema.erase("allOf");
    }
    if (const auto reference = schema.find("$ref"); reference != schema.end()) {
      const auto name = reference->get<std::string>();
      schema.erase("$ref");
      if (!references.insert(name).second) return;
      const auto* target = resolve(name);
      if (target == nullptr) return;
      auto whole = without_annotations(*target);
      if (afford(work_of_copying(whole))) more.push_back(std::move(whole));
    }
  }

  NodeId referenced(const std::string& name) {
    const auto* target = resolve(name);
    if (target == nullptr) return impossible();
    if (const auto known = references_.find(target); known != references_.end()) return known->second;
    const auto id = impossible();
    references_.emplace(target, id);
    auto path = std::exchange(path_, {name});
    const auto inner = visit(*target, 0);
    path_ = std::move(path);
    grammar_.replace(id, Alternatives{{inner}});
    return id;
  }

  NodeId choice(const Schema& schema, const std::string& keyword, int depth) {
    const bool alone = std::ranges::all_of(
        schema.items(), [&](const auto& item) { return item.key() == keyword || is_annotation(item.key()); });
    auto rest = alone ? Schema() : without_annotations(schema);
    if (!alone) rest.erase(keyword);
    Alternatives choice;
    const auto add = [&](const Schema& alternative) {
      choice.of.push_back(visit_at({keyword, std::to_string(choice.of.size())}, alternative, depth));
    };
    for (const auto& alternative : schema[keyword]) {
      if (fault_) return impossible();
      if (alone) {
        add(alternative);
      } else {
        add({{"allOf", Schema::array({alternative, rest})}});
      }
    }
    return grammar_.add(std::move(choice));
  }

  // --- Values ---

  /// Of the values listed those that are what the schema asks for besides.
  NodeId literals(const Schema& schema) {
    const auto* const list = schema.contains("const") ? "const" : "enum";
    if (!afford(work_of_copying(schema))) return impossible();
    auto others = schema;
    others.erase(list);
    InstanceCheck check(document_, strictness_ == Strictness::lenient, most_copies - copies_);
    std::vector<std::string> texts;
    const auto add = [&](const Schema& value) {
      if (has_large_number(value)) refuse(list, "it has a number beyond 64 bits");
      if (check.holds(others, value)) texts.push_back(value.dump());
    };
    if (schema.contains("const")) {
      add(schema["const"]);
    } else {
      for (const auto& value : schema["enum"]) add(value);
    }
    if (!afford(check.work())) return impossible();
    return texts.empty() ? impossible("no value that is listed keeps the rest of it")
                         : spell(std::move(texts));
  }

  NodeId spell(std::vector<std::string> texts) {
    std::ranges::sort(texts);
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    Literals literals;
    for (const auto& text : texts) spelt_ += text.size();
    if (spelt_ > most_spelt) return fail("it has too many parts");
    for (auto& text : texts) literals.texts.push_back(grammar_.spell(std::move(text)));
    return grammar_.add(std::move(literals));
  }

  NodeId typed(const Schema& schema, const std::string& type, int depth) {
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return string(schema);
    if (type == "number" || type == "integer") return number(schema, type == "integer");
    if (type == "boolean") return spell({"true", "false"});
    return type == "null" ? spell({"null"}) : anything();
  }

  /// Any value: a scalar, or a short list of scalars.
  NodeId anything() {
    if (anything_) return *anything_;
    Alternatives scalars;
    scalars.of = {string(Schema::object()), number(Schema::object(), true), spell({"true", "false", "null"})};
    const auto scalar = grammar_.add(scalars);
    scalars.of.push_back(grammar_.add(Array{.rest = scalar, .most = usual_elements}));
    anything_ = grammar_.add(std::move(scalars));
    return *anything_;
  }

  NodeId number(const Schema& schema, bool integer) {
    NumberBounds bounds{.minimum = number_of(schema, "minimum"),
                        .maximum = number_of(schema, "maximum"),
                        .above = number_of(schema, "exclusiveMinimum"),
                        .below = number_of(schema, "exclusiveMaximum")};
    if (integer) bounds.decimals = 0;
    if (const auto step = number_of(schema, "multipleOf"); step && !limit_to_multiples(bounds, *step)) {
      refuse("multipleOf", "only numbers of up to 15 digits, 9 of them behind the point, are supported");
    }
    const auto range = NumberRange::between(bounds);
    return range ? grammar_.add(Number{*range}) : impossible("no number below 9e15 keeps its bounds");
  }

  NodeId string(const Schema& schema) {
    StringLength length{.least = count_of(schema, "minLength", 0),
                        .most = count_of(schema, "maxLength", StringLength().most)};
    if (length.least > length.most) return impossible("'minLength' is more than 'maxLength'");
    const auto format = format_of(schema);
    if (const auto pattern = schema.find("pattern"); pattern != schema.end()) {
      const auto& regex = pattern->get_ref<const std::string&>();
      auto alone = matched(regex, length);
      if (auto* found = std::get_if<Pattern>(&alone))
        return with_format(std::move(*found), regex, format, length);
      const auto& why = std::get<std::string>(alone);
      refuse("pattern", why);
      if (why == Pattern::unmatched) return impossible("'pattern': " + why);
    }
    if (!format.empty()) {
      auto alone = matched(format, length);
      if (auto* found = std::get_if<Pattern>(&alone)) return grammar_.add(PatternString{std::move(*found)});
      refuse("format", std::get<std::string>(alone));
    }
    length.most = std::min(length.most, std::max(length.least, usual_text_length));
    return grammar_.add(FreeString{length});
  }

  /// A format is an annotation: where it would be too much beside a pattern, that alone will do.
  NodeId with_format(Pattern pattern, const std::string& regex, std::string_view format,
                     StringLength length) {
    if (!format.empty()) {
      auto both = matched(Regex::both(regex, std::string(format)), length);
      if (auto* found = std::get_if<Pattern>(&both)) return grammar_.add(PatternString{std::move(*found)});
      if (std::get<std::string>(both) == Pattern::unmatched)
        refuse("format", "it does not go with 'pattern'");
    }
    return grammar_.add(PatternString{std::move(pattern)});
  }

  /// What strings of the schema's format match.
  std::string_view format_of(const Schema& schema) {
    const auto format = schema.find("format");
    if (format == schema.end()) return {};
    const auto& name = format->get_ref<const std::string&>();
    const auto pattern = pattern_of_format(name);
    if (pattern.empty() && !schema.contains("pattern")) {
      refuse("format", "'" + name.substr(0, 64) + "' is not supported");
    }
    return pattern;
  }

  std::variant<Pattern, std::string> matched(std::string_view regex, StringLength length) {
    const auto allowed = std::min(most_pattern_states, most_states - states_);
    std::size_t work = 0;
    auto compiled = Pattern::compile(regex, length, allowed, &work);
    states_ = std::min(states_ + work, most_states);
    return compiled;
  }

  NodeId array(const Schema& schema, int depth) {
    Array array{.least = count_of(schema, "minItems", 0),
                .most = count_of(schema, "maxItems", static_cast<std::uint32_t>(-1))};
    const auto items = schema.find("items");
    const bool is_tuple = items != schema.end() && items->is_array();  // before draft 2020-12
    const auto* const first = is_tuple ? "items" : "prefixItems";
    const auto* const rest = is_tuple ? "additionalItems" : "items";
    std::size_t number = 0;
    for (const auto& element : value_under(schema, first)) {
      array.first.push_back(visit_at({first, std::to_string(number++)}, element, depth));
    }
    if (const auto found = schema.find(rest); found != schema.end()) {
      array.rest = visit_at({rest}, *found, depth);
    } else if (array.first.empty() || array.least > array.first.size()) {
      array.rest = anything();
    }
    if (array.least > array.most) return impossible("'minItems' is more than 'maxItems'");
    const auto usual = std::max(array.first.size(), std::size_t{usual_elements});
    array.most = std::min(array.most, std::max(array.least, static_cast<std::uint32_t>(usual)));
    if (array.rest == no_node && array.least > array.first.size())
      return impossible("it has too few elements");
    if (schema.value("uniqueItems", false)) make_unique(array);
    return grammar_.add(std::move(array));
  }

  /// Elements of one list of values are unlike where each place has values of its own. Of others there is
  /// one, unless there have to be more.
  void make_unique(Array& array) {
    const auto* listed = array.first.empty() && array.rest != no_node ? listed_at(array.rest) : nullptr;
    if (listed == nullptr || listed->texts.size() < array.least) {
      if (array.least > 1 && array.most > 1) refuse("uniqueItems", "only of values that are listed");
      if (array.least <= 1) array.most = std::min(array.most, 1U);
      return;
    }
    for (const auto& [text, left] : listed->texts) spelt_ += text.size();
    if (spelt_ > most_spelt) {
      fail("it has too many parts");
      return;
    }
    const auto texts = listed->texts;
    array.most = std::min(array.most, static_cast<std::uint32_t>(texts.size()));
    for (std::size_t at = 0; at < array.most; ++at) {
      Literals own;
      for (auto place = at; place < texts.size(); place += array.most) own.texts.push_back(texts[place]);
      array.first.push_back(grammar_.add(std::move(own)));
    }
    array.rest = no_node;
  }
  /// The values that a node lists, by whatever references; null for other nodes.
  const Literals* listed_at(NodeId id) const {
    for (int steps = 0; steps < deepest_nesting; ++steps) {
      const auto* choice = std::get_if<Alternatives>(&grammar_[id]);
      if (choice == nullptr) return std::get_if<Literals>(&grammar_[id]);
      if (choice->of.size() != 1) break;
      id = choice->of.front();
    }
    return nullptr;
  }

  NodeId object(const Schema& schema, int depth) {
    const auto& required = value_under(schema, "required");
    const auto rest = schema.find("additionalProperties");
    const auto least = count_of(schema, "minProperties", 0);
    if (least > most_schema_nodes) return fail("it has too many parts");
    Object object;
    const auto add = [&](const std::string& name, NodeId value, bool is_required) {
      object.properties.push_back(
          {.key = grammar_.spell(Schema(name).dump() + ":"), .value = value, .required = is_required});
    };
    const auto required_names = names_in(required);
    auto missing = required_names;
    for (const auto& [name, value] : value_under(schema, "properties").items()) {
      const bool is_required = missing.erase(name) > 0;
      add(name, visit_at({"properties", name}, value, depth), is_required);
    }
    std::optional<NodeId> other;  // the same for all
    for (const auto& name : required) {
      const auto& spelled = name.get_ref<const std::string&>();
      if (missing.erase(spelled) == 0) continue;
      if (!other)
        other = rest != schema.end() ? visit_at({"additionalProperties"}, *rest, depth) : anything();
      add(spelled, *other, true);
    }
    require_at_least(object, least, value_under(schema, "properties"));
    for (int number = 1; object.properties.size() < least; ++number) {
      const auto name = "property_" + std::to_string(number);
      if (!afford(object.properties.size() + name.size())) return impossible();
      if (value_under(schema, "properties").contains(name) || required_names.contains(name)) continue;
      if (!other)
        other = rest != schema.end() ? visit_at({"additionalProperties"}, *rest, depth) : anything();
      add(name, *other, true);
    }
    if (!limit_to(object, count_of(schema, "maxProperties", static_cast<std::uint32_t>(-1)))) {
      return impossible("it requires more properties than 'maxProperties' allows");
    }
    return grammar_.add(std::move(object));
  }

  const Schema& document_;
  Strictness strictness_;
  Grammar grammar_;
  std::vector<std::string> path_;
  std::optional<SchemaFault> fault_;
  std::map<const Schema*, NodeId> references_;  // by what they lead to
  std::map<std::string, NodeId> combinations_;  // by their text
  Causes causes_;                               // why some nodes have no texts
  std::optional<NodeId> anything_;
  std::size_t states_{};
  std::size_t copies_{};
  std::size_t spelt_{};
  int levels_{};
  double work_{};
};

}  // namespace

std::string context_of(const std::vector<std::string>& steps) {
  std::string context = "(";
  for (const auto& step : steps) context += (context.size() > 1 ? ", '" : "'") + step + "'";
  return context + (steps.size() == 1 ? ",)" : ")");
}

std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile_schema(
    const Schema& schema, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary, double* work) {
  Compiler compiler(schema, strictness, std::move(vocabulary));
  auto compiled = compiler.compile();
  if (work != nullptr) *work += compiler.work();
  return compiled;
}

}  // namespace inferwire::inline v0_1::engine
