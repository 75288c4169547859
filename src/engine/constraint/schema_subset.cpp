#include "engine/constraint/schema_subset.hpp"

#include "engine/constraint/schema_keywords.hpp"
#include "engine/utf8.hpp"
#include "json/strict_subset.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {
namespace {

/// The depth to which schemas are compiled.
constexpr std::size_t deepest_of_subset = 64;

/// Whether `type` is one of the schema's types.
bool is_of(const Schema& schema, std::string_view type) {
  const auto types = schema.value("type", Schema());
  return std::ranges::find(types, Schema(type)) != types.end();  // alone or in a list
}

class Subset {
 public:
  explicit Subset(SchemaReport& report) : report_(report) {}

  void check(const Schema& document) {
    if (!document.is_object() || document.value("type", Schema()) != "object") {
      fail("a schema of type 'object' is expected");
    } else if (document.contains("anyOf")) {
      fail("'anyOf' is not permitted");
    }
    visit(document);
  }

 private:
  void fail(std::string_view problem) { report_.fail(problem); }

  void visit_at(std::initializer_list<std::string> steps, const Schema& schema) {
    report_.enter(steps);
    visit(schema);
    report_.leave(steps.size());
  }

  void visit(const Schema& schema) {
    if (report_.fault() || report_.path().size() > 2 * deepest_of_subset) return;
    if (!schema.is_object()) {
      if (schema != false) fail("schema must have a 'type' key");
      return;
    }
    for (const auto& [keyword, value] : schema.items()) {
      if (!json::is_permitted(keyword)) report_.refuse(keyword);
    }
    check_shapes(schema);
    if (report_.fault()) return;
    visit_inner(schema);
    if (schema.contains("$ref")) return check_reference(schema);
    if (!schema.contains("type") && !schema.contains("anyOf")) fail("schema must have a 'type' key");
    if (const auto format = schema.find("format"); format != schema.end() && format->is_string()) {
      const auto& name = format->get_ref<const std::string&>();
      if (std::ranges::find(json::strict_formats, name) == json::strict_formats.end()) {
        fail("'" + shortened(name) + "' is not a valid format");
      }
    }
    if (is_of(schema, "array") && !schema.contains("items")) fail("array schema missing items");
    check_object(schema);
  }

  /// Checks shapes again: the compiler has seen only the definitions that are referred to.
  void check_shapes(const Schema& schema) {
    for (const auto& [keyword, value] : schema.items()) {
      if (const auto problem = fault_of_value(keyword, value); !problem.empty()) fail(problem);
    }
    for (const auto* const keyword : {"$defs", "definitions"}) {
      const auto found = schema.find(keyword);
      if (found == schema.end() || has_shape(*found, KeywordShape::schema_map)) continue;
      fail("'" + std::string(keyword) + "' is expected to be an object of schemas");
    }
  }

  void visit_inner(const Schema& schema) {
    for (const auto* const keyword : {"properties", "$defs", "definitions"}) {
      if (!schema.contains(keyword)) continue;
      for (const auto& [name, inner] : schema[keyword].items()) visit_at({keyword, name}, inner);
    }
    if (schema.contains("items")) visit_at({"items"}, schema["items"]);
    if (!schema.contains("anyOf")) return;
    std::size_t number = 0;
    for (const auto& inner : schema["anyOf"]) visit_at({"anyOf", std::to_string(number++)}, inner);
  }

  void check_reference(const Schema& schema) {
    std::string others;
    for (const auto& [keyword, value] : schema.items()) {
      if (keyword == "$ref" || keyword == "$defs" || keyword == "definitions") continue;
      others += (others.empty() ? "'" : ", '") + keyword + "'";
    }
    if (!others.empty()) fail("$ref cannot have keywords {" + others + "}");
  }

  void check_object(const Schema& schema) {
    if (!is_of(schema, "object") && !schema.contains("properties")) return;
    if (schema.value("additionalProperties", Schema()) != false) {
      fail("'additionalProperties' is required to be supplied and to be false");
    }
    if (!schema.contains("properties")) fail("object schema missing properties");
    const auto required = schema.value("required", std::vector<std::string>());
    const std::set<std::string_view> names(required.begin(), required.end());
    const auto properties = schema.value("properties", Schema::object());
    for (const auto& [name, value] : properties.items()) {
      if (names.contains(name)) continue;
      fail(
          "'required' is required to be supplied and to be an array including every key in properties. "
          "Missing '" +
          name + "'");
    }
  }

  SchemaReport& report_;
};

}  // namespace

void check_subset(const Schema& document, SchemaReport& report) { Subset(report).check(document); }

}  // namespace inferwire::inline v0_1::engine
