#include "engine/constraint/schema.hpp"

#include "base/immortal.hpp"
#include "engine/constraint/grammar_draft.hpp"
#include "engine/constraint/schema_annotations.hpp"
#include "engine/constraint/schema_cause.hpp"
#include "engine/constraint/schema_combination.hpp"
#include "engine/constraint/schema_keywords.hpp"
#include "engine/constraint/schema_limits.hpp"
#include "engine/constraint/schema_reference.hpp"
#include "engine/constraint/schema_scalars.hpp"
#include "engine/constraint/schema_subset.hpp"
#include "engine/constraint/schema_work.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr int deepest_nesting = 64;
/// The deepest nesting, including that of references.
constexpr int deepest_in_all = 256;
/// Elements of a list that has no limit in its schema.
constexpr std::uint32_t usual_elements = 4;

/// The value of a keyword, or null, which has no elements. Returned by reference: schemas are too large to be
/// copied here.
const Schema& value_under(const Schema& schema, const char* keyword) {
  static const Immortal<Schema> none;
  const auto found = schema.find(keyword);
  return found == schema.end() ? none.value : *found;
}

/// The type that the keywords apply to; empty if there is no such keyword.
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
      : document_(document),
        draft_{.grammar = Grammar(std::move(vocabulary)), .report = SchemaReport(strictness)} {}

  std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile() {
    auto& [grammar, report, budget] = draft_;
    const auto root = visit(document_, 0);
    visit_references();
    make_arrays_unique();
    report.go_to({});
    if (report.strictness() == Strictness::openai) check_subset(document_, report);
    if (report.fault()) return *report.fault();
    grammar.close(root);
    if (grammar.cost() < unreachable) return std::make_shared<const Grammar>(std::move(grammar));
    return why_impossible(grammar, report.causes());
  }

  /// How much work compiling was: 1 for each limit that was reached.
  double work() const noexcept { return draft_.budget.spent(); }

 private:
  /// Whether there may be more nodes; reports a fault if not.
  bool has_room() { return draft_.afford(draft_.budget.nodes, 0); }

  NodeId visit_at(std::initializer_list<std::string> steps, const Schema& schema, int depth) {
    draft_.report.enter(steps);
    const auto id = visit(schema, depth + 1);
    draft_.report.leave(steps.size());
    return id;
  }

  NodeId visit(const Schema& schema, int depth) {
    if (draft_.report.fault()) return draft_.impossible();
    const bool too_deep = depth > deepest_nesting || levels_ >= deepest_in_all;
    if (too_deep)
      return draft_.fail("it is nested deeper than " + std::to_string(deepest_nesting) + " levels");
    ++levels_;
    const auto id = visit_shallow(schema, depth);
    --levels_;
    return id;
  }

  NodeId visit_shallow(const Schema& schema, int depth) {
    if (!has_room()) return draft_.impossible();
    if (schema.is_boolean()) return schema.get<bool>() ? anything() : draft_.impossible("nothing is allowed");
    if (!schema.is_object()) return draft_.fail("a schema is expected to be an object or a boolean");
    if (!draft_.report.check_keywords(schema)) return draft_.impossible();
    if (schema.contains("$ref") || schema.contains("allOf")) return combined(schema, depth);
    for (const auto* const alternatives : {"anyOf", "oneOf"}) {
      if (schema.contains(alternatives)) return choice(schema, alternatives, depth);
    }
    if (schema.contains("const") || schema.contains("enum")) return add_listed(draft_, schema, document_);
    if (const auto type = schema.find("type"); type != schema.end() && type->is_array()) {
      Alternatives choice;
      for (const auto& one : *type) {
        if (!has_room()) return draft_.impossible();
        choice.of.push_back(typed(schema, one.get<std::string>(), depth + 1));
      }
      return draft_.add(std::move(choice));
    }
    return typed(schema, schema.value("type", implied_type(schema)), depth);
  }

  // --- References and combinations ---

  /// A reference, with the keywords beside it, gets a node of its own, so that schemas may be recursive.
  NodeId combined(const Schema& schema, int depth) {
    const bool alone = std::ranges::all_of(
        schema.items(), [](const auto& item) { return item.key() == "$ref" || is_annotation(item.key()); });
    if (alone) return referenced(schema["$ref"].get<std::string>());
    auto whole = without_annotations(schema);
    if (!draft_.afford(draft_.budget.copies, work_of_copying(whole))) return draft_.impossible();
    auto text = print(whole);  // the key under which combinations are kept
    if (!draft_.afford(draft_.budget.copies, work_of_writing(text.size()))) return draft_.impossible();
    if (const auto known = combinations_.find(text); known != combinations_.end()) return known->second;
    const auto id = draft_.impossible();
    combinations_.emplace(std::move(text), id);
    const auto inner = visit(put_together(std::move(whole), document_, draft_), depth + 1);
    draft_.grammar.replace(id, Alternatives{{inner}});
    return id;
  }

  /// The node of the schema that a reference leads to, which is visited later: a chain of references takes no
  /// stack.
  NodeId referenced(const std::string& name) {
    const auto* target = resolve(document_, name, draft_.report);
    if (target == nullptr) return draft_.impossible();
    if (const auto known = references_.find(target); known != references_.end()) return known->second;
    const auto id = draft_.impossible();
    references_.emplace(target, id);
    to_visit_.push_back({.id = id, .schema = target, .name = name, .levels = levels_});
    return id;
  }

  /// Visits also those that are found meanwhile.
  void visit_references() {
    for (; !to_visit_.empty(); to_visit_.pop_front()) {
      const auto& [id, schema, name, levels] = to_visit_.front();
      draft_.report.go_to({name});
      levels_ = levels;
      draft_.grammar.replace(id, Alternatives{{visit(*schema, 0)}});
    }
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
      if (draft_.report.fault()) return draft_.impossible();
      if (alone) {
        add(alternative);
      } else {
        add({{"allOf", Schema::array({alternative, rest})}});
      }
    }
    return draft_.add(std::move(choice));
  }

  // --- Values ---

  NodeId typed(const Schema& schema, const std::string& type, int depth) {
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return add_string(draft_, schema);
    if (type == "number" || type == "integer") return add_number(draft_, schema, type == "integer");
    if (type == "boolean") return add_texts(draft_, {"true", "false"});
    return type == "null" ? add_texts(draft_, {"null"}) : anything();
  }

  /// Any value: a scalar, or a short list of scalars.
  NodeId anything() {
    if (anything_) return *anything_;
    Alternatives scalars;
    scalars.of = {add_string(draft_, Schema::object()), add_number(draft_, Schema::object(), true),
                  add_texts(draft_, {"true", "false", "null"})};
    const auto scalar = draft_.add(scalars);
    scalars.of.push_back(draft_.add(Array{.rest = scalar, .most = usual_elements}));
    anything_ = draft_.add(std::move(scalars));
    return *anything_;
  }

  NodeId array(const Schema& schema, int depth) {
    Array array{.least = count_of(schema, "minItems", 0),
                .most = count_of(schema, "maxItems", static_cast<std::uint32_t>(-1))};
    const auto [first, rest] = element_keywords(schema);
    std::size_t number = 0;
    for (const auto& element : value_under(schema, first)) {
      array.first.push_back(visit_at({first, std::to_string(number++)}, element, depth));
    }
    if (const auto found = schema.find(rest); found != schema.end()) {
      array.rest = visit_at({rest}, *found, depth);
    } else if (array.first.empty() || array.least > array.first.size()) {
      array.rest = anything();
    }
    if (array.least > array.most) return draft_.impossible("'minItems' is more than 'maxItems'");
    const auto usual = std::max(array.first.size(), std::size_t{usual_elements});
    array.most = std::min(array.most, std::max(array.least, static_cast<std::uint32_t>(usual)));
    if (array.rest == no_node && array.least > array.first.size())
      return draft_.impossible("it has too few elements");
    const auto id = draft_.add(std::move(array));
    if (schema.value("uniqueItems", false)) unique_.emplace_back(id, draft_.report.path());
    return id;
  }

  /// Done last, since a reference may lead to the values that are listed.
  void make_arrays_unique() {
    for (auto& [id, path] : unique_) {
      draft_.report.go_to(std::move(path));
      auto array = std::get<Array>(draft_.grammar[id]);
      make_unique(array, draft_);
      draft_.grammar.replace(id, std::move(array));
    }
  }

  NodeId object(const Schema& schema, int depth) {
    const auto& required = value_under(schema, "required");
    const auto rest = schema.find("additionalProperties");
    const auto least = count_of(schema, "minProperties", 0);
    if (least > draft_.budget.nodes.most()) return draft_.fail(too_many_parts);
    Object object;
    const auto add = [&](const std::string& name, NodeId value, bool is_required) {
      object.properties.push_back(
          {.key = draft_.grammar.spell(print(Schema(name)) + ":"), .value = value, .required = is_required});
    };
    const auto required_names = names_in(required);
    auto missing = required_names;
    for (const auto& [name, value] : value_under(schema, "properties").items()) {
      const bool is_required = missing.erase(name) > 0;
      add(name, visit_at({"properties", name}, value, depth), is_required);
    }
    std::optional<NodeId> undeclared;  // one node for all
    const auto add_undeclared = [&](const std::string& name) {
      if (!undeclared)
        undeclared = rest != schema.end() ? visit_at({"additionalProperties"}, *rest, depth) : anything();
      add(name, *undeclared, true);
    };
    for (const auto& name : required) {
      const auto& spelled = name.get_ref<const std::string&>();
      if (missing.erase(spelled) > 0) add_undeclared(spelled);
    }
    require_at_least(object, least, value_under(schema, "properties"));
    for (int number = 1; object.properties.size() < least; ++number) {
      const auto name = "property_" + std::to_string(number);
      const auto work = object.properties.size() + name.size();
      if (!draft_.afford(draft_.budget.copies, work)) return draft_.impossible();
      const bool is_taken = value_under(schema, "properties").contains(name) || required_names.contains(name);
      if (!is_taken) add_undeclared(name);
    }
    if (!limit_to(object, count_of(schema, "maxProperties", static_cast<std::uint32_t>(-1)))) {
      return draft_.impossible("it requires more properties than 'maxProperties' allows");
    }
    return draft_.add(std::move(object));
  }

  struct Reference {
    NodeId id{};
    const Schema* schema{};
    std::string name{};
    int levels{};  // above it
  };

  const Schema& document_;
  GrammarDraft draft_;
  std::map<const Schema*, NodeId> references_;  // by the schema they refer to
  std::deque<Reference> to_visit_;
  std::vector<std::pair<NodeId, SchemaPath>> unique_;  // arrays, and where they are
  std::map<std::string, NodeId> combinations_;         // by their text
  std::optional<NodeId> anything_;
  int levels_{};
};

}  // namespace

std::variant<std::shared_ptr<const Grammar>, SchemaFault> compile_schema(
    const Schema& schema, Strictness strictness, std::shared_ptr<const Vocabulary> vocabulary, double* work) {
  Compiler compiler(schema, strictness, std::move(vocabulary));
  auto compiled = compiler.compile();
  if (work != nullptr) *work += compiler.work();
  return compiled;
}

}  // namespace inferwire::inline v0_1::engine
