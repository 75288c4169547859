// Converts the caller's own schemas to the subset that providers enforce.
#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/scanner.hpp"
#include "json/schema_document.hpp"
#include "json/strict_subset.hpp"
#include "json/text.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1 {
namespace {

using json::find;
using json::holds;
using json::SchemaMembers;
using json::SchemaNode;
using json::words_of;

std::string in_quotes(std::string_view text) { return Json::string(text).text(); }

/// Whether null matches a schema, judging by its own keywords.
bool takes_null(const SchemaMembers& schema) {
  if (holds(words_of(find(schema, "type")), "null") || holds(json::values_of(schema), "null")) return true;
  for (const auto* const keyword : {"anyOf", "oneOf"}) {
    const auto* const branches = find(schema, keyword);
    if (branches == nullptr) continue;
    for (const auto& branch : branches->items) {
      if (takes_null(json::SchemaDocument::joined(branch).members)) return true;
    }
  }
  return false;
}

bool has_default(const SchemaNode& schema) {
  return find(json::SchemaDocument::joined(schema).members, "default") != nullptr;
}

/// Whether it becomes a schema of objects with all of its properties and no others.
bool is_of_objects(const SchemaMembers& schema) {
  return holds(words_of(find(schema, "type")), "object") || find(schema, "properties") != nullptr;
}

std::set<std::string_view> names_of_properties(const SchemaMembers& schema) {
  std::set<std::string_view> names;
  if (const auto* const properties = find(schema, "properties")) {
    for (const auto& property : properties->members) names.insert(property.name);
  }
  return names;
}

class Strictness {
 public:
  explicit Strictness(std::string_view text) : document_(text) {}

  StrictSchema bring() && {
    const auto root = document_.root();
    if (words_of(find(root.members, "type")) != json::SchemaWords{"object"})
      problem("the outermost schema has to be of type 'object'");
    if (find(root.members, "anyOf") != nullptr || find(root.members, "oneOf") != nullptr)
      problem("the outermost schema cannot have alternatives");
    schema(root);
    return {Json::raw(std::move(text_)), std::move(problems_)};
  }

 private:
  void problem(std::string detail) { problems_.push_back({path_, std::move(detail)}); }

  /// Calls `visit` with the path extended by `step`.
  template <class Visit>
  void below(std::string_view step, Visit visit) {
    const auto size = path_.size();
    path_ += json::pointer_step(step);
    visit();
    path_.resize(size);
  }
  void name(std::string_view name) { json::append_name(text_, name); }

  void value(std::string_view keyword, const SchemaNode& value) {
    name(keyword);
    text_ += value.text;
  }

  void schema(const SchemaNode& node) {
    if (node.is_object()) return schema(json::SchemaDocument::joined(node));
    if (node.text != "false") problem("it takes anything: say its type");
    text_ += node.text;
  }
  void schema(json::JoinedSchema joined) {
    for (auto& detail : joined.problems) problem(std::move(detail));
    auto& members = joined.members;
    std::erase_if(members, [](const auto* member) { return json::is_annotation(member->name); });
    text_ += '{';
    if (find(members, "$ref") != nullptr) {
      reference(members);
    } else {
      keywords(members);
    }
    text_ += '}';
  }

  /// A reference must not have siblings, so annotations go around it.
  void reference(const SchemaMembers& members) {
    const auto& place = *find(members, "$ref");
    const auto target = document_.target(place);
    const std::string text(place.text);
    if (target.node == nullptr) {
      problem("the reference " + text + " leads to nothing in this document");
    } else if (!target.kept) {
      problem("the reference " + text + " leads into what is no schema, or has become part of another");
    }
    bool described = false;
    for (const auto* const member : members) {
      const auto& keyword = member->name;
      if (keyword == "$ref") continue;
      if (keyword == "$defs" || keyword == "definitions") {
        schemas(keyword, member->value);
        continue;
      }
      described = true;
      if (keyword != "description" && keyword != "title")
        problem("'" + keyword + "' stands beside a reference");
      value(keyword, member->value);
    }
    const auto written = target.moved ? in_quotes(target.place) : text;
    name(described ? "anyOf" : "$ref");
    text_ += described ? "[{\"$ref\":" + written + "}]" : written;
  }

  void keywords(const SchemaMembers& members) {
    for (const auto* const member : members) keyword(member->name, member->value, members);
    check_type(members);
    if (is_of_objects(members)) close_object(members);
  }

  /// `around`: the members of the schema that has the keyword.
  void keyword(const std::string& keyword, const SchemaNode& node, const SchemaMembers& around) {
    // close_object writes those of objects.
    if (keyword == "required" || keyword == "additionalProperties") return;
    if (keyword == "anyOf" || keyword == "oneOf") return branches(keyword, node, around);
    if (!holds(json::strict_keywords, keyword)) problem("'" + keyword + "' is not enforced");
    if (keyword == "properties" || keyword == "$defs" || keyword == "definitions") {
      return schemas(keyword, node);
    }
    if (keyword == "items") {
      name(keyword);
      return below(keyword, [&] { schema(node); });
    }
    const bool is_only_type = keyword == "type" && path_.empty() && node.items.size() == 1;
    value(keyword, is_only_type ? node.items.front() : node);  // the root's type must not be a list
  }

  void check_type(const SchemaMembers& members) {
    const auto* const type = find(members, "type");
    const auto types = words_of(type);
    const bool has_branches = find(members, "anyOf") != nullptr || find(members, "oneOf") != nullptr;
    if (types.empty() && (type != nullptr || !has_branches)) problem("it has no type");
    if (const auto* const format = find(members, "format")) {
      const auto words = words_of(format);
      if (words.size() != 1 || !holds(json::strict_formats, words.front()))
        problem("the format " + std::string(format->text) + " is not enforced");
    }
    if (holds(types, "array") && find(members, "items") == nullptr) problem("it does not say its items");
  }

  void schemas(const std::string& keyword, const SchemaNode& map) {
    name(keyword);
    text_ += '{';
    below(keyword, [&] {
      for (const auto& member : map.members) {
        name(member.name);
        below(member.name, [&] { schema(member.value); });
      }
    });
    text_ += '}';
  }

  void branches(const std::string& keyword, const SchemaNode& list, const SchemaMembers& around) {
    if (keyword == "oneOf" && find(around, "anyOf") != nullptr) {
      problem("'oneOf' stands beside 'anyOf'");  // which it would have to become
      return value(keyword, list);
    }
    if (keyword == "oneOf" && !all_are_told_apart(list.items))
      problem("several of 'oneOf' may fit at once: let them require a property with values of their own");
    // Each of the two levels would exclude the properties that the other requires.
    const auto names = names_of_properties(around);
    if (is_of_objects(around) && std::ranges::any_of(list.items, [&](const SchemaNode& branch) {
          const auto members = document_.resolved(branch);
          return is_of_objects(members) && names_of_properties(members) != names;
        })) {
      problem("the properties of '" + keyword +
              "' are others than those beside it: let each have all of them");
    }
    name("anyOf");
    text_ += '[';
    below(keyword, [&] {
      for (std::size_t i = 0; i < list.items.size(); ++i) {
        if (i > 0) text_ += ',';
        below(std::to_string(i), [&] { schema(list.items[i]); });
      }
    });
    text_ += ']';
  }

  bool all_are_told_apart(const std::vector<SchemaNode>& branches) const {
    std::vector<json::SchemaFacts> facts;
    for (const auto& branch : branches) {
      const auto next = document_.facts_of(branch);
      const auto apart = [&next](const auto& other) { return json::are_told_apart(next, other); };
      if (!std::ranges::all_of(facts, apart)) return false;
      facts.push_back(next);
    }
    return true;
  }

  /// Makes all properties required, and excludes others.
  void close_object(const SchemaMembers& members) {
    const auto* const properties = find(members, "properties");
    const auto* const more = find(members, "additionalProperties");
    if (properties == nullptr) {
      const bool is_root = path_.empty();  // a tool without parameters
      if (!is_root && more == nullptr) problem("it takes any properties: name them");
      name("properties");
      text_ += "{}";
    }
    const std::vector<json::SchemaEntry> none;
    const auto& all = properties != nullptr ? properties->members : none;
    const auto required = words_of(find(members, "required"));
    name("required");
    text_ += '[';
    for (const auto& [property, schema] : all) {
      if (!text_.ends_with('[')) text_ += ',';
      text_ += in_quotes(property);
      if (holds(required, property) || has_default(schema) || takes_null(document_.resolved(schema)))
        continue;
      below("properties", [&, &step = property] {
        below(step, [&] { problem("it is not required: require it, or let it be null"); });
      });
    }
    text_ += ']';
    const auto names = names_of_properties(members);
    for (const auto& property : required) {
      if (!names.contains(property))
        problem("it requires '" + property + "', which is none of its properties");
    }
    if (more != nullptr && more->text != "false") problem("'additionalProperties' has to be false");
    name("additionalProperties");
    text_ += "false";
  }

  json::SchemaDocument document_;
  std::string path_;
  std::string text_;
  std::vector<SchemaProblem> problems_;
};

enum class SchemaPart { other, root, required };

/// The text of a schema. It is equal for schemas that differ only in the order of members and of `required`,
/// in the root's `$schema`, and in whether an object without properties has an empty `required`.
std::string in_order(std::string_view value, SchemaPart part) {
  value = json::trim(value);
  std::vector<std::string> parts;
  for (json::Items items(value); items.next();) {
    if (!items.is_object()) {
      parts.push_back(in_order(items.value(), SchemaPart::other));
      continue;
    }
    const auto name = items.key();
    if (part == SchemaPart::root && name == "$schema") continue;
    parts.push_back(in_quotes(name) + ":" +
                    in_order(items.value(), name == "required" ? SchemaPart::required : SchemaPart::other));
  }
  const bool is_object = value.starts_with('{');
  if (!is_object && !value.starts_with('[')) return std::string(value);
  if (holds(parts, R"("properties":{})")) std::erase(parts, R"("required":[])");
  if (is_object || part == SchemaPart::required) std::ranges::sort(parts);
  std::string text(1, value.front());
  for (const auto& each : parts) (text += each) += ',';
  return text + value.back();
}

}  // namespace

bool json::is_permitted(std::string_view keyword) {
  return holds(strict_keywords, keyword) || (is_annotation(keyword) && !holds(refused_annotations, keyword));
}

bool json::is_strict(const Json& schema) {
  const auto made = strict_schema(schema);
  return made.problems.empty() &&
         in_order(made.schema.text(), SchemaPart::root) == in_order(schema.text(), SchemaPart::root);
}

StrictSchema strict_schema(const Json& schema) {
  const bool is_schema = json::check(schema.text()) && schema.is_object();
  if (!is_schema) return {schema, {{"", "it is no JSON object"}}};
  return Strictness(schema.text()).bring();
}

}  // namespace inferwire::inline v0_1
