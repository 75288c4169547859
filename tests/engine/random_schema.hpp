/// \file
/// Random JSON schemas. Most have instances; some go beyond what is supported.
#pragma once

#include "engine/model/random.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inferwire_test {

class RandomSchema {
 public:
  using Schema = nlohmann::ordered_json;

  explicit RandomSchema(std::uint64_t seed) : random_(seed) {}

  Schema next() {
    auto schema = unchecked();
    const auto text = schema.dump();
    const auto has = [&](const char* keyword) { return text.find(keyword) != std::string::npos; };
    if (has(R"("allOf":)") && (has(R"("const":)") || has(R"("enum":)"))) erase_formats(schema);
    return schema;
  }

 private:
  /// Erases formats: the engine keeps listed values whatever their format says, but validators do not.
  static void erase_formats(Schema& schema) {
    if (schema.is_object()) schema.erase("format");
    for (auto& part : schema) {
      if (part.is_structured()) erase_formats(part);
    }
  }
  Schema unchecked() {
    has_definitions_ = chance(0.4F);
    auto schema = any(3);
    if (!has_definitions_) return schema;
    auto tree = chance(0.5F) ? Schema::parse(R"({"type": "object", "additionalProperties": false,
        "properties": {"v": {"type": "integer", "minimum": 0, "maximum": 9},
                       "next": {"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}},
        "required": ["v", "next"]})")
                             : any(0);
    has_definitions_ = false;
    if (!schema.is_object()) schema = {{"allOf", Schema::array({schema})}};
    schema["$defs"] = {{"t", std::move(tree)},
                       {"u", {{"type", "array"}, {"items", {{"$ref", "#/$defs/t"}}}, {"maxItems", 2}}}};
    return schema;
  }

  int below(int limit) { return static_cast<int>(random_.uniform() * static_cast<float>(limit)); }
  bool chance(float probability) { return random_.uniform() < probability; }
  template <class Value>
  const Value& pick(const std::vector<Value>& values) {
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }

  Schema any(int depth) {
    switch (below(depth > 0 ? 14 : 7)) {
      case 0: return string();
      case 1: return matched();
      case 2: return integer();
      case 3: return number();
      case 4: return {{"type", pick<std::string>({"boolean", "null"})}};
      case 5: return chance(0.5F) ? Schema{{"const", value()}} : listed();
      case 6: return {{"type", "string"}, {"format", pick(formats())}};
      case 7: return array(depth);
      case 8:
      case 9: return object(depth);
      case 10: return combined("anyOf", depth);
      case 11: return chance(0.5F) ? combined("allOf", depth) : combined("anyOf", depth);
      case 12:
        return {{"type", {pick<std::string>({"string", "integer"}), pick<std::string>({"null", "boolean"})}}};
      default:
        if (!has_definitions_) return chance(0.5F) ? Schema(true) : Schema::object();
        return {{"$ref", pick<std::string>({"#/$defs/t", "#/$defs/u"})}};
    }
  }

  Schema string() {
    Schema out{{"type", "string"}};
    const int least = below(5);
    if (chance(0.3F)) out["minLength"] = least;
    if (chance(0.3F)) out["maxLength"] = least + below(6);
    return out;
  }
  Schema matched() {
    Schema out{{"type", "string"}, {"pattern", pick(patterns())}};
    if (chance(0.2F)) out["maxLength"] = 4 + below(20);
    if (chance(0.2F)) out["minLength"] = below(6);
    return out;
  }
  Schema integer() {
    Schema out{{"type", "integer"}};
    const int low = below(400) - 200;
    if (chance(0.5F)) out[pick<std::string>({"minimum", "exclusiveMinimum"})] = low;
    if (chance(0.5F)) {
      out[pick<std::string>({"maximum", "exclusiveMaximum"})] = low + 2 + below(pick<int>({3, 50, 5000}));
    }
    if (chance(0.2F)) out["multipleOf"] = 1 + below(12);
    return out;
  }
  Schema number() {
    Schema out{{"type", "number"}};
    const double low = (below(4000) - 2000) / pick<double>({1, 10, 100, 1000, 1e6});
    if (chance(0.5F)) out[pick<std::string>({"minimum", "exclusiveMinimum"})] = low;
    if (chance(0.5F)) {
      out[pick<std::string>({"maximum", "exclusiveMaximum"})] = low + pick<double>({1e-5, 0.01, 0.5, 3, 700});
    }
    if (chance(0.2F)) out["multipleOf"] = pick<double>({0.5, 0.01, 0.3, 2.5, 4, 0.000125, 1e10});
    return out;
  }
  Schema listed() {
    auto values = Schema::array();
    for (int i = 1 + below(4); i > 0; --i) values.push_back(value());
    Schema out{{"enum", std::move(values)}};
    if (chance(0.2F)) out["type"] = pick<std::string>({"string", "integer", "number"});
    if (chance(0.2F)) out["pattern"] = pick(patterns());
    if (chance(0.1F)) out["required"] = {"k"};
    return out;
  }
  Schema array(int depth) {
    Schema out{{"type", "array"}, {"items", any(depth - 1)}};
    const int least = below(4);
    if (chance(0.4F)) out["minItems"] = least;
    if (chance(0.4F)) out["maxItems"] = least + below(3);
    if (chance(0.2F)) out["prefixItems"] = {any(depth - 1), any(depth - 1)};
    if (chance(0.1F)) out["items"] = false;
    if (chance(0.2F)) out["uniqueItems"] = true;
    return out;
  }
  Schema object(int depth) {
    Schema out{{"type", "object"}, {"properties", Schema::object()}, {"required", Schema::array()}};
    for (int i = below(5); i > 0; --i) {
      const auto key = pick(keys());
      const bool is_new = !out["properties"].contains(key);
      out["properties"][key] = any(depth - 1);
      if (is_new && chance(0.6F)) out["required"].push_back(key);
    }
    if (chance(0.2F)) out["minProperties"] = below(4);
    if (chance(0.2F)) out["maxProperties"] = 2 + below(4);
    if (chance(0.8F)) {
      out["additionalProperties"] = false;
    } else if (chance(0.3F)) {
      out["required"].push_back("extra");
      if (chance(0.5F)) out["additionalProperties"] = any(0);
    }
    return out;
  }
  Schema combined(const std::string& keyword, int depth) {
    Schema out;
    for (int i = 2 + below(2); i > 0; --i) out[keyword].push_back(any(depth - 1));
    if (chance(0.2F)) out["type"] = pick<std::string>({"object", "string", "integer"});
    return out;
  }

  Schema value() {
    static const auto values = Schema::parse(
        R"([1, 0, -5, 12, 120, "a", "ab", "abc", "", "x\"y", "é", true, false, null, 1.5, [1, "a"], {"k": 1}])");
    return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
  }
  static const std::vector<std::string>& keys() {
    static const std::vector<std::string> out{"a",  "b", "ab",  "abc",  "name", "n",
                                              "na", "é", "x y", "q\"t", "z",    "back\\s"};
    return out;
  }
  static const std::vector<std::string>& patterns() {
    static const std::vector<std::string> out{
        "^[a-c]{2,4}$",  "^(foo|bar|ba)+$",   "[0-9]{3}", "^a.*z$",           "^\\d{2}-\\d{2}$", "^(ab?)*c$",
        "^[^xyz]{1,5}$", "^\\w+@\\w+\\.com$", "^a|b$",    "^(?:\\\\|\"){2}$", "^[é-ü]+$",        "^x?\\n$"};
    return out;
  }
  static const std::vector<std::string>& formats() {
    static const std::vector<std::string> out{"date",  "time", "date-time", "duration", "uuid",
                                              "email", "uri",  "hostname",  "ipv4",     "ipv6"};
    return out;
  }

  inferwire::engine::Random random_;
  bool has_definitions_{};
};

}  // namespace inferwire_test
