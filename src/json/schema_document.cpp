#include "json/schema_document.hpp"

#include "base/decimal.hpp"
#include "base/percent.hpp"
#include "inferwire/json.hpp"
#include "json/edit.hpp"
#include "json/scanner.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace inferwire::inline v0_1::json {
namespace {

/// The maximum length of a chain of references; circular ones end here.
constexpr int most_steps = 16;

constexpr std::array<std::string_view, 6> type_names{"object", "array",   "string",
                                                     "number", "boolean", "null"};
constexpr std::uint8_t only_object = 1, any_type = (1U << type_names.size()) - 1;

SchemaNode node_of(std::string_view text) {
  SchemaNode node;
  node.text = trim(text);
  for (Items items(node.text); items.next();) {
    if (items.is_object()) {
      node.members.push_back({items.key(), node_of(items.value())});
    } else {
      node.items.push_back(node_of(items.value()));
    }
  }
  return node;
}

const SchemaNode* child(const SchemaNode& node, const std::string& step) {
  if (node.is_object()) {
    const auto found = std::ranges::find(node.members, step, &SchemaEntry::name);
    return found == node.members.end() ? nullptr : &found->value;
  }
  const auto index = index_of(step);
  return index && *index < node.items.size() ? &node.items[*index] : nullptr;
}

bool has_schemas(std::string_view keyword) {
  return keyword == "properties" || keyword == "$defs" || keyword == "definitions";
}

/// Whether a keyword may differ between two schemas that are joined.
bool may_differ(std::string_view keyword) {
  return is_annotation(keyword) || keyword == "description" || keyword == "title" || keyword == "$defs" ||
         keyword == "definitions";
}

/// Whether one of two schemas excludes all properties but its own, which are not those of the other.
bool shuts_out(const SchemaMembers& one, const SchemaMembers& other) {
  return find(one, "additionalProperties") != nullptr && find(one, "properties") == nullptr &&
         find(other, "properties") != nullptr;
}

SchemaMembers members_of(const SchemaNode& schema) {
  SchemaMembers members;
  for (const auto& member : schema.members) members.push_back(&member);
  return members;
}

/// Adds the contents of `part` to `whole`. `keyword` led to the part.
void join(JoinedSchema& whole, const SchemaNode& part, const std::string& keyword) {
  std::erase_if(whole.members, [&keyword](const auto* member) { return member->name == keyword; });
  const auto more = members_of(part);
  if (shuts_out(whole.members, more) || shuts_out(more, whole.members))
    whole.problems.push_back("'" + keyword +
                             "' joins 'properties' with 'additionalProperties' of another schema");
  for (const auto* const member : more) {
    const auto* const same = find(whole.members, member->name);
    if (same == nullptr) {
      whole.members.push_back(member);
    } else if (same->text != member->value.text && !may_differ(member->name)) {
      whole.problems.push_back("'" + keyword + "' has another '" + member->name +
                               "' than the schema around it");
    }
  }
}

void join_only_part(JoinedSchema& schema) {
  for (;;) {
    const auto* const all = find(schema.members, "allOf");
    if (all == nullptr || all->items.size() != 1 || !all->items.front().is_object()) return;
    join(schema, all->items.front(), "allOf");
  }
}

/// A JSON value as text that is equal for equal values; nothing for lists and objects, and for numbers beyond
/// a double.
std::optional<std::string> comparable(const SchemaNode& value) {
  if (const auto text = string_of(value.text)) return Json::string(*text).text();
  if (value.text == "true" || value.text == "false" || value.text == "null") return std::string(value.text);
  const auto number = number_of(value.text);
  return number ? std::optional(print_decimal(*number + 0.0)) : std::nullopt;  // -0 is 0
}

bool are_apart(const SchemaWords& some, const SchemaWords& others) {
  return !some.empty() && !others.empty() &&
         std::ranges::none_of(some, [&others](const std::string& word) { return holds(others, word); });
}

}  // namespace

const SchemaNode* find(const SchemaMembers& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &SchemaEntry::name);
  return found == members.end() ? nullptr : &(*found)->value;
}

SchemaWords words_of(const SchemaNode* value) {
  SchemaWords words;
  if (value == nullptr) return words;
  if (auto word = string_of(value->text)) words.push_back(*std::move(word));
  for (const auto& item : value->items) words.push_back(string_of(item.text).value_or(""));
  return words;
}

SchemaWords values_of(const SchemaMembers& schema) {
  SchemaWords values;
  const auto add = [&values](const SchemaNode& value) {
    auto text = comparable(value);
    if (text) values.push_back(*std::move(text));
    return text.has_value();
  };
  const auto* const one = find(schema, "const");
  const auto* const list = find(schema, "enum");
  const bool all =
      (one == nullptr || add(*one)) && (list == nullptr || std::ranges::all_of(list->items, add));
  return all ? values : SchemaWords();
}

bool is_annotation(std::string_view keyword) {
  constexpr std::array<std::string_view, 9> words{"$comment", "$id",        "$schema",
                                                  "default",  "deprecated", "discriminator",
                                                  "examples", "readOnly",   "writeOnly"};
  return keyword.starts_with("x-") || holds(words, keyword);
}

std::string pointer_step(std::string_view name) {
  std::string step = "/";
  for (const char c : name) {
    if (c == '~') step += "~0";
    if (c == '/') step += "~1";
    if (c != '~' && c != '/') step += c;
  }
  return step;
}

bool are_told_apart(const SchemaFacts& one, const SchemaFacts& other) {
  const auto shared = one.types & other.types;
  if (shared == 0 || are_apart(one.values, other.values)) return true;
  return shared == only_object && std::ranges::any_of(one.tags, [&other](const auto& tag) {
           const auto same =
               std::ranges::find(other.tags, tag.first, &decltype(other.tags)::value_type::first);
           return same != other.tags.end() && are_apart(tag.second, same->second);
         });
}

SchemaDocument::SchemaDocument(std::string_view text) : root_(node_of(text)) {}

JoinedSchema SchemaDocument::root() const {
  auto schema = joined(root_);
  for (int step = 0; step < most_steps; ++step) {
    const auto* const found = next(schema.members);
    if (found == nullptr) break;
    join(schema, *found, "$ref");
    join_only_part(schema);
  }
  return schema;
}

JoinedSchema SchemaDocument::joined(const SchemaNode& schema) {
  JoinedSchema all{.members = members_of(schema)};
  join_only_part(all);
  return all;
}

SchemaTarget SchemaDocument::target(const SchemaNode& reference) const {
  const auto text = string_of(reference.text);
  if (!text || !text->starts_with('#')) return {};
  const auto steps = tokens_of(percent_decode(std::string_view(*text).substr(1)));
  if (!steps) return {};
  enum class Kind : std::uint8_t { schema, schemas, other } kind{};
  SchemaTarget found{.node = &root_, .place = "#"};
  for (const auto& step : *steps) {
    const bool moves = kind == Kind::schema && step == "oneOf";
    found.moved |= moves;
    for (const char c : pointer_step(moves ? "anyOf" : step))
      found.place += c == '%' ? "%25" : std::string(1, c);
    found.node = child(*found.node, step);
    if (found.node == nullptr) return {};
    if (kind == Kind::schemas) {
      kind = Kind::schema;
    } else if (kind == Kind::schema && (has_schemas(step) || step == "anyOf" || moves)) {
      kind = Kind::schemas;
    } else if (kind != Kind::schema || step != "items") {
      kind = Kind::other;
    }
  }
  found.kept = kind == Kind::schema;
  return found;
}

const SchemaNode* SchemaDocument::next(const SchemaMembers& members) const {
  const auto* const reference = find(members, "$ref");
  return reference != nullptr ? target(*reference).node : nullptr;
}

SchemaMembers SchemaDocument::resolved(const SchemaNode& schema) const {
  auto members = joined(schema).members;
  for (int step = 0; step < most_steps; ++step) {
    const auto* const found = next(members);
    if (found == nullptr) break;
    members = joined(*found).members;
  }
  return members;
}

SchemaFacts SchemaDocument::facts_of(const SchemaNode& schema) const {
  const auto members = resolved(schema);
  SchemaFacts facts{.values = values_of(members)};
  for (const auto& word : words_of(find(members, "type"))) {
    const auto type = std::ranges::find(type_names, word == "integer" ? "number" : std::string_view(word));
    facts.types |=
        type == type_names.end() ? any_type : static_cast<std::uint8_t>(1U << (type - type_names.begin()));
  }
  if (facts.types == 0) facts.types = any_type;
  const auto required = words_of(find(members, "required"));
  const auto* const properties = find(members, "properties");
  if (properties == nullptr) return facts;
  for (const auto& [name, property] : properties->members) {
    if (!holds(required, name)) continue;
    if (auto values = values_of(resolved(property)); !values.empty())
      facts.tags.emplace_back(name, std::move(values));
  }
  return facts;
}

}  // namespace inferwire::inline v0_1::json
