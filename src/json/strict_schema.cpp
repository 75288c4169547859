// Schemas of the caller's own, brought into the subset that providers enforce.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/percent.hpp"
#include "inferwire/schema.hpp"
#include "json/codec.hpp"
#include "json/strict_subset.hpp"
#include "json/text.hpp"

namespace inferwire::inline v0_1 {
namespace {

using Members = std::vector<Member>;
using Words = std::vector<std::string>;

/// Keywords that do not decide which documents fit; providers refuse some of them.
constexpr std::array<std::string_view, 8> annotations{"$comment",   "$id",      "$schema",  "default",
                                                      "deprecated", "examples", "readOnly", "writeOnly"};

/// Keywords that providers refuse or pass over under `strict`. An `allOf` of one schema is not met here.
constexpr std::array<std::string_view, 28> unenforced{"$anchor",
                                                      "$dynamicAnchor",
                                                      "$dynamicRef",
                                                      "additionalItems",
                                                      "allOf",
                                                      "contains",
                                                      "contentEncoding",
                                                      "contentMediaType",
                                                      "contentSchema",
                                                      "dependencies",
                                                      "dependentRequired",
                                                      "dependentSchemas",
                                                      "else",
                                                      "if",
                                                      "maxContains",
                                                      "maxProperties",
                                                      "minContains",
                                                      "minProperties",
                                                      "not",
                                                      "patternProperties",
                                                      "prefixItems",
                                                      "propertyNames",
                                                      "then",
                                                      "unevaluatedItems",
                                                      "unevaluatedProperties",
                                                      "uniqueItems",
                                                      "$recursiveAnchor",
                                                      "$recursiveRef"};

bool holds(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}
bool holds(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

const Json* find(const Members& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? nullptr : &found->value;
}

std::string in_quotes(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

Json object_of(const Members& members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (text.size() > 1) text += ',';
    (text += in_quotes(name) + ':') += value.text();
  }
  return Json::raw(text + '}');
}

/// The strings of a list, or the string itself.
Words words_of(const Optional<Json>& json) {
  Words words;
  if (!json) return words;
  if (auto word = json->as_string()) words.push_back(*std::move(word));
  for (const auto& item : json->items()) words.push_back(item.as_string().value_or(""));
  return words;
}

/// The values that a schema lists, as they are written.
Words values_of(const Json& schema) {
  Words values;
  if (const auto one = schema.find("/const")) values.push_back(one->text());
  if (const auto list = schema.find("/enum")) {
    for (const auto& item : list->items()) values.push_back(item.text());
  }
  return values;
}

/// Whether null fits a schema, as far as it says so itself.
bool takes_null(const Json& schema) {
  if (holds(words_of(schema.find("/type")), "null") || holds(values_of(schema), "null")) return true;
  for (const auto* const keyword : {"/anyOf", "/oneOf"}) {
    const auto branches = schema.find(keyword);
    if (branches && std::ranges::any_of(branches->items(), &takes_null)) return true;
  }
  return false;
}

bool are_apart(const Words& some, const Words& others) {
  return !some.empty() && !others.empty() &&
         std::ranges::none_of(some, [&others](const std::string& word) { return holds(others, word); });
}

class Strictness {
 public:
  explicit Strictness(const Json& document) : document_(document) {}

  StrictSchema bring() && {
    const auto root = root_of();
    if (words_of(root.find("/type")) != Words{"object"})
      problem("the outermost schema has to be of type 'object'");
    if (root.find("/anyOf") || root.find("/oneOf")) problem("the outermost schema cannot have alternatives");
    schema(root);
    return {Json::raw(std::move(text_)), std::move(problems_)};
  }

 private:
  void problem(std::string detail) { problems_.push_back({path_, std::move(detail)}); }

  /// Calls `visit` with the path of what is below.
  template <class Visit>
  void below(std::string_view step, Visit visit) {
    const auto size = path_.size();
    path_ += '/';
    for (const char c : step) {
      if (c == '~') path_ += "~0";
      if (c == '/') path_ += "~1";
      if (c != '~' && c != '/') path_ += c;
    }
    visit();
    path_.resize(size);
  }
  void name(std::string_view name) {
    if (!text_.ends_with('{')) text_ += ',';
    (text_ += in_quotes(name)) += ':';
  }

  /// What a reference within the document leads to.
  Optional<Json> target(const Json& reference) const {
    const auto place = reference.as_string();
    if (!place || !place->starts_with('#')) return {};
    return document_.find(percent_decode(std::string_view(*place).substr(1)));
  }
  Json resolved(Json schema) const {
    constexpr int most_steps = 16;
    for (int step = 0; step < most_steps; ++step) {
      const auto reference = schema.find("/$ref");
      const auto found = reference ? target(*reference) : std::nullopt;
      if (!found) break;
      schema = *found;
    }
    return schema;
  }
  /// The document, where it is only a reference with what this leads to: it has to be an object itself.
  Json root_of() const {
    auto members = document_.members();
    if (find(members, "$ref") == nullptr) return document_;
    std::erase_if(members, [](const Member& member) { return member.name == "$ref"; });
    for (auto& member : resolved(document_).members()) {
      if (find(members, member.name) == nullptr) members.push_back(std::move(member));
    }
    return object_of(members);
  }

  void schema(const Json& json) {
    if (!json.is_object()) {
      if (json.text() != "false") problem("it takes anything: say its type");
      text_ += json.text();
      return;
    }
    auto members = json.members();
    join_only_part(members);
    std::erase_if(members, [](const Member& member) { return holds(annotations, member.name); });
    text_ += '{';
    if (find(members, "$ref") != nullptr) {
      reference(members);
    } else {
      keywords(members);
    }
    text_ += '}';
  }

  /// An `allOf` of one schema is that schema.
  void join_only_part(Members& members) {
    const auto* const all = find(members, "allOf");
    if (all == nullptr || all->items().size() != 1 || !all->items().front().is_object()) return;
    auto part = all->items().front().members();
    std::erase_if(members, [](const Member& member) { return member.name == "allOf"; });
    for (auto& member : part) {
      const auto* const same = find(members, member.name);
      if (same == nullptr) {
        members.push_back(std::move(member));
      } else if (!(*same == member.value) && !holds(annotations, member.name) &&
                 member.name != "description" && member.name != "title") {
        problem("'allOf' has another '" + member.name + "' than the schema around it");
      }
    }
    join_only_part(members);
  }

  /// Nothing may stand beside a reference, so what describes it goes around it.
  void reference(const Members& members) {
    const auto& place = *find(members, "$ref");
    if (!target(place)) problem("the reference " + place.text() + " leads to nothing in this document");
    bool described = false;
    for (const auto& [keyword, value] : members) {
      if (keyword == "$ref") continue;
      if (keyword == "$defs" || keyword == "definitions") {
        schemas(keyword, value);
        continue;
      }
      described = true;
      if (keyword != "description" && keyword != "title")
        problem("'" + keyword + "' stands beside a reference");
      name(keyword);
      text_ += value.text();
    }
    name(described ? "anyOf" : "$ref");
    text_ += described ? "[{\"$ref\":" + place.text() + "}]" : place.text();
  }

  void keywords(const Members& members) {
    for (const auto& [keyword, value] : members) {
      if (holds(unenforced, keyword)) problem("'" + keyword + "' is not enforced");
      if (keyword == "properties" || keyword == "$defs" || keyword == "definitions") {
        schemas(keyword, value);
      } else if (keyword == "oneOf" && find(members, "anyOf") != nullptr) {
        problem("'oneOf' stands beside 'anyOf'");  // which it would have to become
        name(keyword);
        text_ += value.text();
      } else if (keyword == "anyOf" || keyword == "oneOf") {
        branches(keyword, value);
      } else if (keyword == "items") {
        name(keyword);
        below(keyword, [&, &items = value] { schema(items); });
      } else if (keyword != "required" && keyword != "additionalProperties") {
        name(keyword);
        text_ += value.text();
      }
    }
    const auto* const type = find(members, "type");
    const bool has_branches = find(members, "anyOf") != nullptr || find(members, "oneOf") != nullptr;
    if (type == nullptr && !has_branches) problem("it has no type");
    if (const auto* const format = find(members, "format")) {
      if (!holds(json::strict_formats, format->as_string().value_or("")))
        problem("the format " + format->text() + " is not enforced");
    }
    const auto types = type != nullptr ? words_of(*type) : Words();
    if (holds(types, "array") && find(members, "items") == nullptr) problem("it does not say its items");
    const bool is_object = holds(types, "object");
    if (is_object || find(members, "properties") != nullptr) close_object(members);
  }

  void schemas(const std::string& keyword, const Json& map) {
    name(keyword);
    text_ += '{';
    below(keyword, [&] {
      for (const auto& member : map.members()) {
        name(member.name);
        below(member.name, [&] { schema(member.value); });
      }
    });
    text_ += '}';
  }

  void branches(const std::string& keyword, const Json& list) {
    const auto all = list.items();
    if (keyword == "oneOf") {
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (are_told_apart(resolved(all[j]), resolved(all[i]))) continue;
          problem("several of 'oneOf' may fit at once: let them require a property with values of their own");
          i = j = all.size();
        }
      }
    }
    name("anyOf");
    text_ += '[';
    below(keyword, [&] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) text_ += ',';
        below(std::to_string(i), [&] { schema(all[i]); });
      }
    });
    text_ += ']';
  }

  /// Whether nothing fits both, by their types or by a property that tells them apart.
  bool are_told_apart(const Json& one, const Json& other) const {
    const auto types_of = [](const Json& schema) {
      auto types = words_of(schema.find("/type"));
      std::ranges::replace(types, "integer", "number");
      return types;
    };
    if (are_apart(types_of(one), types_of(other))) return true;
    const auto required = words_of(other.find("/required"));
    return std::ranges::any_of(words_of(one.find("/required")), [&](const std::string& property) {
      if (!holds(required, property)) return false;
      const auto values_in = [&](const Json& schema) {
        const auto properties = schema.find("/properties");
        const auto members = properties ? properties->members() : Members();
        const auto* const found = find(members, property);
        return found != nullptr ? values_of(resolved(*found)) : Words();
      };
      return are_apart(values_in(one), values_in(other));
    });
  }

  /// All properties are required, and there are no others.
  void close_object(const Members& members) {
    const auto* const properties = find(members, "properties");
    const auto all = properties != nullptr ? properties->members() : Members();
    const auto* const list = find(members, "required");
    const auto required = list != nullptr ? words_of(*list) : Words();
    name("required");
    text_ += '[';
    for (const auto& [property, schema] : all) {
      if (!text_.ends_with('[')) text_ += ',';
      text_ += in_quotes(property);
      if (holds(required, property) || takes_null(resolved(schema)) || schema.find("/default")) continue;
      below("properties", [&, &step = property] {
        below(step, [&] { problem("it is not required: require it, or let it be null"); });
      });
    }
    text_ += ']';
    for (const auto& property : required) {
      if (find(all, property) == nullptr)
        problem("it requires '" + property + "', which is none of its properties");
    }
    const auto* const more = find(members, "additionalProperties");
    if (more != nullptr && more->text() != "false") problem("'additionalProperties' has to be false");
    name("additionalProperties");
    text_ += "false";
  }

  const Json& document_;
  std::string path_;
  std::string text_;
  std::vector<SchemaProblem> problems_;
};

}  // namespace

StrictSchema strict_schema(const Json& schema) {
  const bool is_schema = json::check(schema.text()) && schema.is_object();
  if (!is_schema) return {schema, {{"", "it is no JSON object"}}};
  return Strictness(schema).bring();
}

}  // namespace inferwire::inline v0_1
