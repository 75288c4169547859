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

#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_keywords.hpp"
#include "engine/constraint/schema_merge.hpp"
#include "engine/constraint/schema_subset.hpp"
#include "engine/constraint/schema_work.hpp"
#include "engine/percent.hpp"

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

bool is_integer(const Schema& value) {
  return value.is_number_integer() || (value.is_number() && std::floor(value.get<double>()) == value);
}

/// Whether a value has a number that is no 64-bit integer, but may have been written as an integer: its
/// digits are lost.
bool has_large_number(const Schema& value) {
  if (value.is_structured()) return std::ranges::any_of(value, has_large_number);
  return value.is_number_float() && (value.get<double>() >= 0x1p64 || value.get<double>() <= -0x1p63);
}

std::size_t length_of(const Schema& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text.get_ref<const std::string&>(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_of_type(const Schema& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_integer(value);
  if (type == "boolean") return value.is_boolean();
  return value.is_null();
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
    fail("no instance of it can be written");
    return *std::move(fault_);
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
    if (schema.is_boolean()) return schema.get<bool>() ? anything() : impossible();
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
      const auto shape = shape_of(keyword);
      if (!shape || (keyword == "oneOf" && strictness_ != Strictness::lenient)) {
        refuse(keyword, "");
      } else if (!has_shape(value, *shape)) {
        fail("'" + keyword + "' is expected to be " + std::string(name_of(*shape)));
      }
    }
    return !fault_;
  }

  // --- References and combinations ---

  const Schema* resolve(const std::string& reference) {
    const auto* target = find(reference);
    if (target == nullptr) fail("'$ref' cannot be resolved: '" + reference.substr(0, 64) + "'");
    return target;
  }

  const Schema* find(const std::string& reference) const {
    if (!reference.starts_with('#')) return nullptr;
    try {
      const auto* target = &document_.at(Schema::json_pointer(percent_decode(reference.substr(1))));
      return target->is_object() || target->is_boolean() ? target : nullptr;
    } catch (const Schema::exception&) {  // no pointer, or to nothing
      return nullptr;
    }
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

  NodeId literals(const Schema& schema) {
    std::vector<std::string> texts;
    const auto add = [&](const Schema& value) {
      if (has_large_number(value))
        refuse(schema.contains("const") ? "const" : "enum", "it has a number beyond 64 bits");
      if (keeps_rest(value, schema)) texts.push_back(value.dump());
    };
    if (const auto value = schema.find("const"); value != schema.end()) {
      const auto listed = schema.find("enum");
      if (listed == schema.end() || std::ranges::find(*listed, *value) != listed->end()) add(*value);
    } else {
      for (const auto& one : schema["enum"]) add(one);
    }
    for (const auto& [keyword, value] : schema.items()) {
      if (!is_checked_beside_values(keyword) && shape_of(keyword)) refuse(keyword, "it stands beside values");
    }
    return texts.empty() ? impossible() : spell(std::move(texts));
  }

  static bool is_checked_beside_values(const std::string& keyword) {
    return keyword == "enum" || keyword == "const" || keyword == "type" || keyword.ends_with("Length") ||
           keyword == "minimum" || keyword == "maximum" || keyword == "exclusiveMinimum" ||
           keyword == "exclusiveMaximum" || keyword == "minItems" || keyword == "maxItems";
  }

  /// Whether a listed value is what the keywords beside the list ask for.
  static bool keeps_rest(const Schema& value, const Schema& schema) {
    if (const auto type = schema.find("type"); type != schema.end()) {
      const auto fits = [&](const Schema& name) {
        return is_of_type(value, name.get_ref<const std::string&>());
      };
      if (type->is_array() ? std::ranges::none_of(*type, fits) : !fits(*type)) return false;
    }
    const auto within = [&](const char* least, const char* most, double number) {
      return number >= number_of(schema, least).value_or(number) &&
             number <= number_of(schema, most).value_or(number);
    };
    if (value.is_string()) return within("minLength", "maxLength", static_cast<double>(length_of(value)));
    if (value.is_array()) return within("minItems", "maxItems", static_cast<double>(value.size()));
    if (!value.is_number()) return true;
    const auto number = value.get<double>();
    const auto above = number_of(schema, "exclusiveMinimum"), below = number_of(schema, "exclusiveMaximum");
    return within("minimum", "maximum", number) && (!above || number > *above) && (!below || number < *below);
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
                        .below = number_of(schema, "exclusiveMaximum"),
                        .integer = integer};
    if (const auto step = number_of(schema, "multipleOf")) {
      if (*step >= 1 && *step <= 1e9 && std::floor(*step) == *step) {
        bounds.step = static_cast<std::int64_t>(*step);
        bounds.integer = true;
      } else {
        refuse("multipleOf", "only integers from 1 to 1000000000 are supported");
      }
    }
    const auto range = NumberRange::between(bounds);
    return range ? grammar_.add(Number{*range}) : impossible();
  }

  NodeId string(const Schema& schema) {
    StringLength length{.least = count_of(schema, "minLength", 0),
                        .most = count_of(schema, "maxLength", StringLength().most)};
    if (length.least > length.most) return impossible();
    if (auto pattern = pattern_of(schema)) return matched(*std::move(pattern), length);
    length.most = std::min(length.most, std::max(length.least, usual_text_length));
    return grammar_.add(FreeString{length});
  }

  std::optional<std::pair<std::string, std::string>> pattern_of(const Schema& schema) {
    std::optional<std::pair<std::string, std::string>> found;
    if (const auto pattern = schema.find("pattern"); pattern != schema.end()) {
      found = {"pattern", pattern->get<std::string>()};
    }
    if (const auto format = schema.find("format"); format != schema.end()) {
      const auto pattern = pattern_of_format(format->get<std::string>());
      if (pattern.empty()) {
        refuse("format", "'" + format->get<std::string>().substr(0, 64) + "' is not supported");
      } else if (found) {
        refuse("format", "it stands beside 'pattern'");
      } else {
        found = {"format", std::string(pattern)};
      }
    }
    return found;
  }

  NodeId matched(std::pair<std::string, std::string> keyword_and_pattern, StringLength length) {
    const auto& [keyword, pattern] = keyword_and_pattern;
    const auto allowed = std::min(most_pattern_states, most_states - states_);
    std::size_t work = 0;
    auto compiled = Pattern::compile(pattern, length, allowed, &work);
    states_ = std::min(states_ + work, most_states);
    if (const auto* why = std::get_if<std::string>(&compiled)) {
      refuse(keyword, *why);
      return grammar_.add(
          FreeString{{length.least, std::min(length.most, std::max(length.least, usual_text_length))}});
    }
    return grammar_.add(PatternString{std::get<Pattern>(std::move(compiled))});
  }

  NodeId array(const Schema& schema, int depth) {
    if (schema.value("uniqueItems", false) && count_of(schema, "maxItems", usual_elements) > 1) {
      refuse("uniqueItems", "");
    }
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
    if (array.least > array.most) return impossible();
    const auto usual = std::max(array.first.size(), std::size_t{usual_elements});
    array.most = std::min(array.most, std::max(array.least, static_cast<std::uint32_t>(usual)));
    return grammar_.add(std::move(array));
  }

  NodeId object(const Schema& schema, int depth) {
    const auto& required = value_under(schema, "required");
    const auto rest = schema.find("additionalProperties");
    Object object;
    const auto add = [&](const std::string& name, NodeId value, bool is_required) {
      object.properties.push_back(
          {.key = grammar_.spell(Schema(name).dump() + ":"), .value = value, .required = is_required});
    };
    auto missing = names_in(required);
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
    check_counts(schema, object);
    return grammar_.add(std::move(object));
  }

  /// How many properties there are is not counted: it has to be so anyway.
  void check_counts(const Schema& schema, const Object& object) {
    const auto required = std::ranges::count(object.properties, true, &Property::required);
    if (count_of(schema, "minProperties", 0) > static_cast<std::size_t>(required)) {
      refuse("minProperties", "it asks for more properties than are required");
    }
    if (count_of(schema, "maxProperties", static_cast<std::uint32_t>(-1)) < object.properties.size()) {
      refuse("maxProperties", "it asks for fewer properties than there are");
    }
  }

  const Schema& document_;
  Strictness strictness_;
  Grammar grammar_;
  std::vector<std::string> path_;
  std::optional<SchemaFault> fault_;
  std::map<const Schema*, NodeId> references_;  // by what they lead to
  std::map<std::string, NodeId> combinations_;  // by their text
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

std::size_t values_in(std::string_view schema) {
  std::size_t count = 1;
  bool in_string = false;
  for (std::size_t at = 0; at < schema.size(); ++at) {
    const char c = schema[at];
    if (in_string && c == '\\') ++at;
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == ',' || c == '{' || c == '[')) ++count;
  }
  return count;
}

std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile_schema(
    const Schema& schema, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary, double* work) {
  Compiler compiler(schema, strictness, std::move(vocabulary));
  auto compiled = compiler.compile();
  if (work != nullptr) *work += compiler.work();
  return compiled;
}

}  // namespace inferwire::inline v0_1::engine
