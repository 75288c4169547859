// Tests how the compiler translates the keywords of JSON schemas.
#include "inferwire/schema.hpp"

#include "constrained_text.hpp"
#include "schema_validator.hpp"
#include "support/catch.hpp"
#include "support/thread_stacks.hpp"

#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace inferwire::engine;
using namespace inferwire_test;

namespace {

std::string fault_of(const Schema& schema, Strictness strictness = Strictness::strict) {
  const auto result = compile(schema, strictness);
  const auto* fault = std::get_if<SchemaFault>(&result);
  return fault != nullptr ? fault->context + ": " + fault->problem : "";
}

std::string fault_of(const char* schema, Strictness strictness = Strictness::strict) {
  return fault_of(Schema::parse(schema), strictness);
}

std::shared_ptr<const Grammar> grammar_of(const char* schema, Strictness strictness = Strictness::strict) {
  auto result = compile(Schema::parse(schema), strictness);
  REQUIRE(result.index() == 0);
  return std::get<0>(result);
}

double work_of(const Schema& schema, Strictness strictness = Strictness::strict) {
  double work = 0;
  CHECK(compile_schema(schema, strictness, vocabulary_of(toy_model()), &work).index() == 0);
  return work;
}

struct Case {
  const char* schema;
  std::vector<const char*> texts;   ///< texts that the grammar accepts
  std::vector<const char*> others;  ///< texts that it does not accept
};

// Texts are instances and others are not; comments name the exceptions.
const std::vector<Case> cases{
    {R"({"type": "string"})", {R"("")", R"("é\"\n")"}, {"1", "\"a", "\"\x01\"", R"("\x")"}},
    {R"({"type": "string", "minLength": 2, "maxLength": 3})",
     {R"("ab")", R"("éé")", R"("\n\\x")"},
     {R"("a")", R"("é")", R"("abcd")"}},
    {R"({"type": "integer"})", {"0", "-7", "123456"}, {"1.0", "-0", "01", "\"1\"", "1e3"}},
    {R"({"type": "integer", "minimum": 3, "exclusiveMaximum": 11})", {"3", "10"}, {"2", "11", "-3", "100"}},
    {R"({"type": "integer", "multipleOf": 7, "minimum": -8})", {"-7", "0", "14"}, {"-14", "1", "15"}},
    {R"({"type": "number", "minimum": 0.5, "maximum": 1})",
     {"0.5", "0.75", "1"},
     {"0.4", "1.001", "0", "-1"}},
    {R"({"type": "number", "exclusiveMinimum": 0, "maximum": 0.00001})", {"0.000001"}, {"0", "0.1"}},
    {R"({"type": "boolean"})", {"true", "false"}, {"null", "tru", "0"}},
    {R"({"type": "null"})", {"null"}, {"nul", "0"}},
    {R"({"type": ["integer", "null"]})", {"5", "null"}, {"\"5\"", "true"}},
    {R"({"enum": ["ab", 1, 12, null, {"k": [1]}]})",
     {"\"ab\"", "1", "12", "null", R"({"k":[1]})"},
     {"\"a\"", "2"}},
    {R"({"enum": ["ab", 1, 2.5, 300], "type": ["integer", "string"], "maximum": 9})",
     {"\"ab\"", "1"},
     {"2.5", "300"}},
    {R"({"const": "x\"y"})", {R"("x\"y")"}, {R"("x")"}},
    {R"({"const": 2, "enum": [1, 2]})", {"2"}, {"1"}},
    {R"({"type": "array", "items": {"type": "null"}, "minItems": 1, "maxItems": 2})",
     {"[null]", "[null,null]"},
     {"[]", "[null,null,null]", "[1]", "[null,]"}},
    {R"({"prefixItems": [{"const": 1}, {"const": 2}], "items": false})",
     {"[]", "[1]", "[1,2]"},
     {"[2]", "[1,2,3]"}},
    {R"({"items": [{"const": 1}], "additionalItems": {"const": 9}, "minItems": 2})",
     {"[1,9]"},
     {"[1]", "[9,9]"}},
    {R"({"type": "array", "items": {"const": 1}, "uniqueItems": true, "maxItems": 1})", {"[1]"}, {"[1,1]"}},
    {R"({"properties": {"a": {"const": 1}, "ab": {"const": 2}, "b": {"const": 3}}, "required": ["ab"]})",
     {R"({"ab":2})", R"({"a":1,"ab":2,"b":3})", R"({"ab":2,"b":3})"},
     {"{}", R"({"a":1})", R"({"ab":3})", R"({"ab":2,})",
      R"({"ab":2,"c":1})"}},  // the last one is an instance
    {R"({"type": "object", "required": ["extra"], "additionalProperties": {"const": 4}})",
     {R"({"extra":4})"},
     {"{}", R"({"extra":5})"}},
    {R"({"type": "object"})", {"{}"}, {"[]"}},
    {R"({"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 1}]})",
     {"null", "\"a\""},
     {"1", "\"ab\""}},
    {R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}},
         "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})",
     {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
     {"{}"}},
    {R"({"allOf": [{"type": "number", "minimum": 2}, {"type": "integer"}, {"maximum": 3}]})",
     {"2", "3"},
     {"1", "2.5"}},
    {R"({"allOf": [{"properties": {"a": {"type": "integer"}}, "additionalProperties": false},
                   {"properties": {"a": {"minimum": 5}, "b": true}}], "type": "object"})",
     {R"({"a":5})", "{}"},
     {R"({"a":4})", R"({"b":1})"}},
    {R"({"allOf": [{"prefixItems": [{"type": "integer"}], "minItems": 2}, {"items": {"minimum": 5}, "maxItems": 2}],
         "type": "array", "items": {"type": "number"}})",
     {"[5,5.5]"},
     {"[4,5]", "[5.5,5]", "[5]", "[5,5,5]"}},
    {R"({"allOf": [{"const": 1}, {"enum": [1, 2]}]})", {"1"}, {"2"}},
    {R"({"$ref": "#/$defs/list", "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}})",
     {"[]", "[[],[[]]]"},
     {"[1]"}},
    {R"({"$ref": "#/$defs/node",
         "$defs": {"node": {"type": "object", "properties": {
             "value": {"type": "integer"},
             "next": {"allOf": [{"$ref": "#/$defs/node"}], "description": "the rest"}}, "required": ["value"]}}})",
     {R"({"value":1})", R"({"value":1,"next":{"value":2,"next":{"value":3}}})"},
     {"{}", R"({"value":1,"next":{}})", R"({"value":1,"next":null})"}},
    {R"({"type": "object", "properties": {"v": {"const": 1}, "next": {"$ref": "#", "type": "object"}}})",
     {"{}", R"({"v":1,"next":{"next":{"v":1}}})"},
     {R"({"next":1})", R"({"next":{"v":2}})"}},
    {R"({"$ref": "#/$defs/tree",
         "$defs": {"base": {"type": "object", "properties": {"id": {"const": 7}}},
                   "tree": {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {
                       "kid": {"allOf": [{"$ref": "#/$defs/tree"}, {"required": ["id"]}]}}}]}}})",
     {"{}", R"({"kid":{"kid":{"id":7},"id":7},"id":7})"},
     {R"({"kid":{}})", R"({"kid":{"kid":{},"id":7}})"}},
    {R"({"properties": {"x": {"$ref": "#", "minProperties": 0}, "y": {"$ref": "#", "minProperties": 0}}})",
     {R"({"x":{"y":{}},"y":{"x":{},"y":{}}})"},
     {R"({"x":{"y":1}})"}},
    {R"({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}],
         "$defs": {"a": {"type": "integer"}, "b": {"minimum": 3}, "c": {"$ref": "#/$defs/d"}, "d": {"maximum": 5}}})",
     {"3", "5"},
     {"2", "6", "3.5"}},
    {R"({"$ref": "#/$defs/a", "allOf": [{"$ref": "#/$defs/b", "required": ["y"]}], "type": "object",
         "$defs": {"a": {"properties": {"x": {"const": 1}}, "required": ["x"]},
                   "b": {"properties": {"y": {"const": 2}}}}})",
     {R"({"x":1,"y":2})"},
     {"{}", R"({"x":1})", R"({"y":2})", R"({"x":1,"y":3})"}},
    {R"({"type": ["string", "null"], "anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer"}]})",
     {"\"a\""},
     {"1", "null", "\"ab\""}},
    {R"({"anyOf": [{"$ref": "#"}, {"type": "null"}]})", {"null"}, {"1"}},
    {R"({"allOf": [{"properties": {"title": {"const": {"title": 1}, "title": "T"}}, "title": "T"},
                   {"required": ["title"], "description": "D"}], "type": "object"})",
     {R"({"title":{"title":1}})"},
     {"{}", R"({"title":{}})"}},
    {R"({"$ref": "#/definitions/a~1b", "minimum": 3, "definitions": {"a/b": {"type": "integer"}}})",
     {"3"},
     {"2"}},
    {R"({"type": "string", "pattern": "^a{2,3}$"})", {"\"aa\"", "\"aaa\""}, {"\"a\"", "\"aaaa\""}},
    {R"({"type": "string", "pattern": "b"})", {"\"abc\"", "\"b\""}, {"\"a\""}},
    {R"({"type": "string", "pattern": "^[ab]*$", "minLength": 2, "maxLength": 3})",
     {"\"ab\"", "\"aba\""},
     {"\"a\"", "\"abab\""}},
    {R"({"type": "string", "format": "date"})", {"\"2024-02-28\""}, {"\"2024-13-01\"", "\"now\""}},
    {R"({"allOf": [{"pattern": "^ab.*"}, {"pattern": ".*yz$"}], "type": "string"})",
     {"\"abyz\"", "\"ab-yz\""},
     {"\"ab\"", "\"yz\"", "\"byz\""}},
    {R"({"type": "string", "pattern": "^(?=.*[0-9])[a-f0-9]{2}$"})",
     {"\"a1\"", "\"22\""},
     {"\"ab\"", "\"1\""}},
    {R"({"type": "string", "pattern": "^[0-9]{4}-12-", "format": "date"})",
     {"\"2024-12-05\""},
     {"\"2024-12-\"", "\"2024-11-05\""}},
    {R"({"type": "string", "pattern": "^ey[a-z]{2}$", "format": "jwt"})", {"\"eyab\""}, {"\"ab\""}},
    {R"({"type": "number", "multipleOf": 0.5, "minimum": -1})", {"-1", "0.5", "42.5"}, {"42.1", "0.25"}},
    {R"({"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0})",
     {"0.01", "7.7", "42"},
     {"0.714", "0"}},
    {R"({"type": "number", "multipleOf": 1e10})", {"0", "10000000000"}, {"1", "1000000000"}},
    {R"({"type": "integer", "multipleOf": 2.5})", {"0", "5", "-10"}, {"2.5", "2"}},
    {R"({"properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}, "required": ["c"],
         "minProperties": 2})",
     {R"({"a":1,"c":3})", R"({"a":1,"b":2,"c":3})"},
     {R"({"c":3})", R"({"b":2,"c":3})"}},  // the last one is an instance
    {R"({"properties": {"me": {"$ref": "#"}, "v": {"const": 1}}, "minProperties": 1})",
     {R"({"v":1})", R"({"me":{"v":1},"v":1})"},
     {"{}"}},
    {R"({"type": "object", "additionalProperties": {"const": 1}, "properties": {"property_1": {"const": 2}},
         "minProperties": 2})",
     {R"({"property_1":2,"property_2":1})"},
     {"{}", R"({"property_1":2})"}},
    {R"({"properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}, "required": ["c"],
         "maxProperties": 2})",
     {R"({"c":3})", R"({"a":1,"c":3})"},
     {R"({"a":1,"b":2,"c":3})"}},
    {R"({"type": "array", "items": {"$ref": "#/$defs/colour"}, "uniqueItems": true,
         "$defs": {"colour": {"enum": ["red", "green", "blue"]}}})",
     {"[]", "[\"blue\"]", "[\"blue\",\"green\",\"red\"]"},
     {"[\"blue\",\"blue\"]"}},
    {R"({"type": "array", "items": {"enum": [1, 2, 3, 4]}, "uniqueItems": true, "minItems": 2, "maxItems": 2})",
     {"[1,2]", "[3,4]"},
     {"[1,1]", "[1]"}},
    {R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})",
     {"[]", "[\"a\"]"},
     {"[\"a\",\"a\"]"}},
    {R"({"enum": ["ab", "b", 7], "pattern": "^a"})", {"\"ab\"", "7"}, {"\"b\""}},
    {R"({"enum": ["billing@mail.example.co.uk", 7], "type": "string", "format": "email"})",
     {"\"billing@mail.example.co.uk\""},
     {"7"}},
    {R"({"const": "2024-12-31", "format": "date"})", {"\"2024-12-31\""}, {"\"2024-12-01\""}},
    {R"({"enum": [{"a": 1}, {"b": 1}, {"a": "x"}, 5], "type": "object", "required": ["a"],
         "properties": {"a": {"type": "integer"}}})",
     {R"({"a":1})"},
     {R"({"b":1})", R"({"a":"x"})", "5"}},
    {R"({"enum": [[1], ["a"], [1, 2], [1, "b"], [1, 1]], "prefixItems": [{"type": "integer"}],
         "items": {"$ref": "#/$defs/n"}, "uniqueItems": true, "$defs": {"n": {"minimum": 1, "type": "integer"}}})",
     {"[1]", "[1,2]"},
     {"[\"a\"]", "[1,\"b\"]", "[1,1]"}},
    {R"({"const": {"a": 1, "b": 2}, "additionalProperties": false, "properties": {"a": true, "b": {"anyOf":
         [{"multipleOf": 2}, {"type": "null"}]}}, "maxProperties": 2, "minProperties": 1})",
     {R"({"a":1,"b":2})"},
     {"{}"}},
    {"true", {"1", "\"a\"", "null", "[1,true]"}, {"tru"}},
    {R"({"title": "T", "description": "D", "default": 7, "examples": [1], "type": "null"})", {"null"}, {"7"}},
};

}  // namespace

TEST_CASE("each supported keyword accepts and refuses its examples", "[schema]") {
  for (const auto& [schema, texts, others] : cases) {
    INFO(schema);
    const auto grammar = grammar_of(schema);
    for (const auto* const text : texts) {
      INFO(text);
      CHECK(accepts(grammar, text));
    }
    for (const auto* const text : others) {
      INFO(text);
      CHECK_FALSE(accepts(grammar, text));
    }
  }
}

TEST_CASE("a lenient schema with an unsupported pattern keeps its format", "[schema]") {
  const auto format =
      grammar_of(R"({"type": "string", "pattern": "^(?!-)[0-9-]+$", "format": "date"})", Strictness::lenient);
  CHECK(accepts(format, "\"2024-02-28\""));
  CHECK_FALSE(accepts(format, "\"prose\""));
  const auto complex = grammar_of(R"({"type": "string", "pattern": "(a|b)*a(a|b){12}", "format": "date"})",
                                  Strictness::lenient);
  CHECK_FALSE(accepts(complex, "\"prose\""));
  const auto values = grammar_of(R"({"enum": ["é", "a", "b"], "pattern": "^[^b]$"})", Strictness::lenient);
  for (const auto* const text : {"\"é\"", "\"a\""}) CHECK(accepts(values, text));
  CHECK_FALSE(accepts(values, "\"b\""));
  const auto known = grammar_of(R"({"enum": ["a", "b"], "pattern": "^[^b]$"})");
  CHECK_FALSE(accepts(known, "\"b\""));
}

TEST_CASE("the tests' own validator agrees with the grammar", "[schema]") {
  for (const auto& [text_of_schema, texts, others] : cases) {
    INFO(text_of_schema);
    auto schema = nlohmann::json::parse(text_of_schema);
    if (schema.is_object() && schema.contains("additionalItems")) continue;  // not in draft 2020-12
    if (schema.is_object() && schema.value("anyOf", nlohmann::json())[0].contains("$ref"))
      continue;  // endless
    if (schema.is_object() && schema.value("format", "") == "jwt")
      schema.erase("format");  // not known to the validator
    const SchemaValidator validator(schema);
    for (const auto* const text : texts) CHECK(validator.fault(nlohmann::json::parse(text)) == "");
  }
}

TEST_CASE("an unsupported keyword is refused by name and path", "[schema]") {
  const auto refused = [](const char* schema) { return fault_of(schema); };
  CHECK(refused(R"({"not": {"type": "null"}})") == "(): 'not' is not permitted");
  for (const std::string keyword : {"if", "patternProperties", "propertyNames", "dependentRequired",
                                    "contains", "unevaluatedProperties", "oneOf", "nonsense"}) {
    const Schema inner{{"type", "object"}, {keyword, Schema::array({true})}};
    const Schema schema{{"type", "object"}, {"properties", {{"x", inner}}}};
    CHECK(fault_of(schema) == "('properties', 'x'): '" + keyword + "' is not permitted");
    CHECK(fault_of(schema, Strictness::lenient) == "");
  }
  CHECK(refused(R"({"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": true})") ==
        "(): 'uniqueItems' is not permitted: only of values that are listed");
  CHECK(refused(R"({"multipleOf": 0.0000000001})").starts_with("(): 'multipleOf' is not permitted: "));
  CHECK(refused(R"({"multipleOf": 1e16})").starts_with("(): 'multipleOf' is not permitted: "));
  CHECK(refused(R"({"pattern": "^[0-9]+$", "format": "email"})") ==
        "(): 'format' is not permitted: it does not go with 'pattern'");
  CHECK(refused(R"({"pattern": "(?i)a"})") ==
        "(): 'pattern' is not permitted: modifiers such as '(?i)' are not supported");
  CHECK(refused(R"({"pattern": "(?=a)b"})").starts_with("(): 'pattern' is not permitted: lookaround"));
  CHECK(refused(R"({"pattern": "^a$", "minLength": 3})").starts_with("(): 'pattern' is not permitted: "));
  CHECK(refused(R"({"type": "string", "format": "colour"})")
            .starts_with("(): 'format' is not permitted: 'colour'"));
  for (const auto* const number : {"123456789012345678901234567890", "-9223372036854775809", "1e30"}) {
    INFO(number);
    for (const std::string list : {R"({"enum": [1, {"k": [)", R"({"const": [{"k": [)"}) {
      const auto schema = list + number + "]}]}";
      CHECK_THAT(fault_of(schema.c_str()), inferwire_test::contains("it has a number beyond 64 bits"));
      CHECK(fault_of(schema.c_str(), Strictness::lenient) == "");
    }
  }
  CHECK(refused(R"({"enum": [18446744073709551615, -9223372036854775808, 1e18, -1.5]})") == "");
  CHECK(refused(R"({"allOf": [{"pattern": "a"}, {"pattern": "(?!b)c"}]})")
            .starts_with("(): 'pattern' is not permitted"));
}

TEST_CASE("a schema without instances is refused, strict or not", "[schema]") {
  struct Row {
    const char* schema;
    const char* context;
    const char* cause;
  };
  const auto* const bounds = ": no number below 9e15 keeps its bounds";
  const auto* const listed = ": no value that is listed keeps the rest of it";
  const auto* const itself = ": it is a part of itself";
  for (const auto& [schema, context, cause] : {
           Row{"false", "()", ": nothing is allowed"},
           Row{R"({"type": "integer", "minimum": 2, "maximum": 1})", "()", bounds},
           Row{R"({"type": "number", "minimum": 1e300})", "()", bounds},
           Row{R"({"type": "number", "multipleOf": 0.25, "exclusiveMinimum": 1, "maximum": 1.2})", "()",
               bounds},
           Row{R"({"allOf": [{"const": 1}, {"const": 2}]})", "()", listed},
           Row{R"({"enum": ["a"], "type": "integer"})", "()", listed},
           Row{R"({"enum": ["a", "b"], "pattern": "^c"})", "()", listed},
           Row{R"({"type": "string", "minLength": 3, "maxLength": 2})", "()",
               ": 'minLength' is more than 'maxLength'"},
           Row{R"({"allOf": [{"type": "string"}, {"type": "integer"}]})", "()", ": nothing is allowed"},
           Row{R"({"type": "array", "items": false, "minItems": 1})", "('items',)", ": nothing is allowed"},
           Row{R"({"type": "array", "minItems": 2, "maxItems": 1})", "()",
               ": 'minItems' is more than 'maxItems'"},
           Row{R"({"type": "array", "minItems": 4000000000})", "()", ""},
           Row{R"({"required": ["a"], "properties": {"b": false, "a": {"type": "array", "minItems": 1,
                   "prefixItems": [{"type": "object", "required": ["c\"d"], "properties":
                     {"c\"d": {"anyOf": [{"$ref": "#/$defs/none"}, false]}}}]}},
                   "$defs": {"none": {"minimum": 5, "maximum": 3}}})",
               "('#/$defs/none',)", bounds},
           Row{R"({"type": "object", "maxProperties": 1, "required": ["a", "b"]})", "()",
               ": it requires more properties than 'maxProperties' allows"},
           Row{R"({"type": "object", "minProperties": 1, "additionalProperties": false})",
               "('additionalProperties',)", ": nothing is allowed"},
           Row{R"({"$ref": "#"})", "()", itself},
           Row{R"({"required": ["me"], "properties": {"me": {"$ref": "#"}}})",
               "('properties', 'me', 'properties', 'me')", itself},
           Row{R"({"properties": {"me": {"$ref": "#", "type": "object"}}, "required": ["me"]})",
               "('properties', 'me', 'properties', 'me')", itself},
       }) {
    INFO(schema);
    CHECK(fault_of(schema, Strictness::lenient) ==
          context + std::string(": no instance of it can be written") + cause);
  }
  CHECK(fault_of(R"({"pattern": "^a$", "minLength": 3})", Strictness::lenient) ==
        "(): no instance of it can be written: 'pattern': " + std::string(Pattern::unmatched));
}

TEST_CASE("a malformed schema is refused, strict or not", "[schema]") {
  CHECK(fault_of("7", Strictness::lenient) == "(): a schema is expected to be an object or a boolean");
  CHECK(fault_of(R"({"type": "float"})", Strictness::lenient)
            .starts_with("(): 'type' is expected to be the name"));
  CHECK(fault_of(R"({"properties": {"a": 1}})", Strictness::lenient) ==
        "(): 'properties' is expected to be an object of schemas");
  CHECK(fault_of(R"({"minLength": -1})", Strictness::lenient).starts_with("(): 'minLength' is expected"));
  CHECK(fault_of(R"({"maxLength": 2.5})") == "(): 'maxLength' is expected to be an integer of 0 or more");
  CHECK(fault_of(R"({"minItems": 1.5})") == "(): 'minItems' is expected to be an integer of 0 or more");
  CHECK(fault_of(R"({"minItems": 2.0, "maxItems": 3e0})") == "");
  CHECK(fault_of(R"({"items": {"$ref": "#/$defs/none"}})", Strictness::lenient) ==
        "('items',): '$ref' cannot be resolved: '#/$defs/none'");
  CHECK(fault_of(R"({"$ref": "http://elsewhere/schema"})", Strictness::lenient)
            .starts_with("(): '$ref' cannot"));
}

TEST_CASE("Strictness::openai wants every property required and no additional ones", "[schema]") {
  CHECK(fault_of(R"({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"],
                     "additionalProperties": false})",
                 Strictness::openai) == "");
  CHECK(fault_of(R"({"type": "array"})", Strictness::openai) == "(): a schema of type 'object' is expected");
  CHECK(fault_of(R"({"type": "object", "properties": {}})", Strictness::openai) ==
        "(): 'additionalProperties' is required to be supplied and to be false");
  CHECK(fault_of(R"({"type": "object", "required": [], "additionalProperties": false})",
                 Strictness::openai) == "(): object schema missing properties");
  CHECK(
      fault_of(R"({"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": false})",
               Strictness::openai) ==
      "(): 'required' is required to be supplied and to be an array including every key in properties. "
      "Missing 'a'");
}

TEST_CASE("Strictness::openai refuses further keywords in OpenAI's words", "[schema]") {
  const auto fault_in = [](const char* property, const char* definition = "true") {
    return fault_of(Schema::parse(R"({"type": "object", "properties": {"a": )" + std::string(property) +
                                  R"(}, "required": ["a"], "additionalProperties": false, "$defs": {"x": )" +
                                  definition + "}}"),
                    Strictness::openai);
  };
  const auto* const text = R"({"type": "string"})";
  CHECK(fault_in(text, text) == "");
  CHECK(fault_in(R"({"description": "D", "anyOf": [{"$ref": "#/$defs/x"}]})", text) == "");
  CHECK(fault_in(R"({"type": ["string", "null"], "enum": ["a", null], "title": "T"})", text) == "");
  CHECK(fault_in(text) == "('$defs', 'x'): schema must have a 'type' key");
  CHECK(fault_in(text, R"({"type": "object", "properties": {}, "required": [1]})") ==
        "('$defs', 'x'): 'required' is expected to be a list of strings");
  CHECK(fault_in(text, "5") == "(): '$defs' is expected to be an object of schemas");
  for (const auto* const schema :
       {"{}", "true", R"({"description": "D"})", R"({"const": 1})", R"({"enum": [1]})"}) {
    INFO(schema);
    CHECK(fault_in(schema, text) == "('properties', 'a'): schema must have a 'type' key");
  }
  const std::vector<std::pair<std::string, std::string>> refused{
      {"allOf", R"([{"type": "array"}, {"type": "array"}])"},
      {"uniqueItems", "true"},
      {"prefixItems", R"([{"type": "null"}])"},
      {"minProperties", "0"},
      {"contentMediaType", R"("text/plain")"},
      {"default", "[]"}};
  for (const auto& [keyword, value] : refused) {
    const auto list = R"({"type": "array", "items": {"type": "null"}, ")" + keyword + "\": " + value + "}";
    CHECK(fault_in(list.c_str(), text) == "('properties', 'a'): '" + keyword + "' is not permitted");
    CHECK(fault_in(text, list.c_str()) == "('$defs', 'x'): '" + keyword + "' is not permitted");
    // The library reports the same, except for the annotation, which it leaves out.
    const auto made = inferwire::strict_schema(inferwire::Json::raw(
        R"({"type": "object", "properties": {"a": )" + list + R"(}, "required": ["a"]})"));
    CHECK(made.problems.empty() == (keyword == "default"));
  }
  CHECK(fault_in(R"({"type": "string", "$comment": "C", "examples": ["E"]})", text) == "");
  CHECK(fault_in(R"({"$ref": "#/$defs/x", "description": "D", "type": "string"})", text) ==
        "('properties', 'a'): $ref cannot have keywords {'description', 'type'}");
  CHECK(fault_in(R"({"type": "array", "items": {"type": "string", "format": "uri"}})", text) ==
        "('properties', 'a', 'items'): 'uri' is not a valid format");
  for (const auto* const list : {R"({"type": "array"})", R"({"type": ["null", "array"]})"}) {
    CHECK(fault_in(list, text) == "('properties', 'a'): array schema missing items");
  }
  CHECK(
      fault_in(R"({"anyOf": [{"type": "null"}, {"type": "object"}]})", text) ==
      "('properties', 'a', 'anyOf', '1'): 'additionalProperties' is required to be supplied and to be false");
  CHECK(fault_of(R"({"type": "object", "properties": {}, "required": [], "additionalProperties": false,
                     "anyOf": [{"type": "object", "properties": {}, "additionalProperties": false}]})",
                 Strictness::openai) == "(): 'anyOf' is not permitted");
}

TEST_CASE("schemas that are too large or too deep are refused", "[schema]") {
  auto deep = Schema{{"type", "null"}};
  for (int i = 0; i < 1'000; ++i) deep = Schema{{"type", "array"}, {"items", std::move(deep)}};
  CHECK(fault_of(deep, Strictness::lenient).ends_with("it is nested deeper than 64 levels"));

  Schema wide{{"type", "object"}};
  for (int i = 0; i < 10'000; ++i) wide["properties"]["p" + std::to_string(i)] = {{"type", "null"}};
  CHECK(fault_of(wide, Strictness::lenient).ends_with("it has too many parts"));

  Schema chain{{"$ref", "#/$defs/d0"}};
  for (int i = 0; i < 1'000; ++i) {
    chain["$defs"]["d" + std::to_string(i)] = {{"type", "array"},
                                               {"items", {{"$ref", "#/$defs/d" + std::to_string(i + 1)}}}};
  }
  CHECK(fault_of(chain, Strictness::lenient).ends_with("levels"));

  // What a value has to be depends on the last steps to it, and each step doubles the number of cases.
  Schema doubling{{"$ref", "#/$defs/d0"}};
  const auto reference = [](int to) { return Schema{{"$ref", "#/$defs/d" + std::to_string(to)}}; };
  for (int i = 0; i < 16; ++i) {
    auto& properties = doubling["$defs"]["d" + std::to_string(i)]["properties"];
    properties = {{"a", reference((i + 1) % 16)}, {"b", reference((i + 1) % 16)}};
  }
  doubling["$defs"]["d0"]["properties"] = {{"a", {{"allOf", {reference(0), reference(1)}}}},
                                           {"b", reference(0)}};
  CHECK_FALSE(fault_of(doubling, Strictness::lenient).empty());
  CHECK_FALSE(fault_of(R"({"pattern": "(a|b)*a(a|b){12}"})").empty());
  CHECK(fault_of(R"({"pattern": "((a{200}){200}){200}"})").find("too complex") != std::string::npos);
}

#ifdef __linux__
TEST_CASE("a chain of references fits on the stack of a thread of musl", "[schema]") {
  constexpr int links = 100;
  const auto name = [](int number) { return "d" + std::to_string(number); };
  Schema chain{{"$ref", "#/$defs/d0"}, {"$defs", {{name(links), {{"type", "null"}}}}}};
  for (int i = 0; i < links; ++i) {
    chain["$defs"][name(i)] = {{"required", Schema::array({"a"})},
                               {"properties", {{"a", {{"$ref", "#/$defs/" + name(i + 1)}}}}}};
  }
  const ThreadStacks small(stack_of_musl);
  std::string fault = "none yet";
  std::thread([&] { fault = fault_of(chain); }).join();
  CHECK(fault.empty());
}
#endif

TEST_CASE("parts repeated by $ref count towards a schema's limit", "[schema]") {
  Schema words = {{"enum", Schema::array()}};
  for (int i = 0; i < 4'000; ++i) words["enum"].push_back("word " + std::to_string(i));
  Schema schema{{"type", "object"}, {"$defs", {{"words", std::move(words)}}}};
  for (int i = 0; i < 1'500; ++i) {
    schema["properties"]["p" + std::to_string(i)] = {{"$ref", "#/$defs/words"}, {"maxLength", 100 + i}};
  }
  CHECK(fault_of(schema, Strictness::lenient).ends_with("it has too many parts"));

  Schema patterns{{"type", "object"}};
  for (int i = 0; i < 1'000; ++i) {
    patterns["properties"]["p" + std::to_string(i)] = {{"pattern", "(a|b)*a(a|b){12}"}};
  }
  CHECK(fault_of(patterns, Strictness::lenient).empty());  // these are strings like any others
}

TEST_CASE("parts made by uniqueItems and minProperties count towards a schema's limit", "[schema]") {
  Schema words = {{"enum", Schema::array()}};
  for (int i = 0; i < 4'000; ++i) words["enum"].push_back("word " + std::to_string(i));
  Schema unique{{"type", "object"}, {"$defs", {{"words", std::move(words)}}}};
  Schema invented{{"type", "object"}};
  for (int i = 0; i < 500; ++i) {
    const auto name = "p" + std::to_string(i);
    unique["properties"][name] = {{"items", {{"$ref", "#/$defs/words"}}}, {"uniqueItems", true}};
    invented["properties"][name] = {{"minProperties", 4'000}};
  }
  CHECK(fault_of(unique).ends_with("it has too many parts"));
  CHECK(fault_of(invented).ends_with("it has too many parts"));
  CHECK(fault_of(R"({"minProperties": 1e9})").ends_with("it has too many parts"));
}

TEST_CASE("comparing enum values with patterns counts towards a schema's limit", "[schema]") {
  Schema patterns{{"enum", {Schema::object()}}};
  const std::string text(400'000, 'x');
  Schema values{{"enum", {{{"k", text + "y"}}}}, {"$defs", {{"other", {{"const", text + "z"}}}}}};
  for (int i = 0; i < 100; ++i) {
    const auto name = "k" + std::to_string(i);
    patterns["enum"][0][name] = "aaaaaaaa" + name;
    patterns["properties"][name] = {{"pattern", "(a|b)*a(a|b){7}" + name}};
    values["properties"]["k"]["anyOf"].push_back({{"$ref", "#/$defs/other"}});
  }
  for (const auto* const schema : {&patterns, &values}) {
    CHECK(fault_of(*schema, Strictness::lenient).ends_with("it has too many parts"));
  }
}

TEST_CASE("long descriptions do not count towards a schema's limit", "[schema]") {
  const Schema described{{"items", {{"description", std::string(1'000'000, 'x')}}}, {"type", "array"}};
  Schema schema{{"allOf", {Schema::object(), {{"additionalProperties", described}}}}};
  for (int i = 0; i < 3'000; ++i) {
    schema["allOf"][0]["properties"]["p" + std::to_string(i)] = {{"type", "array"}};
  }
  CHECK(fault_of(schema).empty());
}

TEST_CASE("additionalProperties and items are counted for each member before they are copied", "[schema]") {
  const auto together = [](int others, std::size_t length) {
    const Schema text{{"enum", {std::string(length, 'x'), nullptr}}};
    Schema object{{"allOf", {Schema::object(), {{"additionalProperties", text}}}}, {"type", "object"}};
    Schema array{{"allOf", {Schema::object(), {{"items", text}}}}, {"type", "array"}};
    for (int i = 0; i < others; ++i) {
      object["allOf"][0]["properties"]["p" + std::to_string(i)] = {{"type", "null"}};
      array["allOf"][0]["prefixItems"].push_back({{"type", "null"}});
    }
    return std::vector{fault_of(object), fault_of(array)};
  };
  CHECK(together(300, 100) == std::vector<std::string>(2));
  CHECK(together(300, 100'000) == std::vector<std::string>(2, "(): it has too many parts"));
}

TEST_CASE("a listed array with more pairs than 32 bits can count has too many parts", "[schema]") {
  const Schema array(65'536, 0);
  CHECK(fault_of({{"const", array}, {"uniqueItems", true}}) == "(): it has too many parts");
}

TEST_CASE("a definition that is used often is compiled once", "[schema]") {
  Schema words{{"enum", Schema::array()}};
  for (int i = 0; i < 2'000; ++i) words["enum"].push_back("word " + std::to_string(i));

  Schema named{{"anyOf", Schema::array()}, {"$defs", {{"abc", words}}}};
  for (const auto* const name : {"abc", "%61bc", "a%62c", "ab%63", "%61%62c", "%61b%63", "a%62%63"}) {
    named["anyOf"].push_back({{"$ref", std::string("#/$defs/") + name}});
  }
  Schema required{{"type", "object"}, {"additionalProperties", words}};
  for (int i = 0; i < 7; ++i) required["required"].push_back("p" + std::to_string(i));

  CHECK(work_of(named) < 2 * work_of(words));
  CHECK(work_of(required) < 2 * work_of(words));
}

TEST_CASE("patterns that a lenient schema leaves out count as work", "[schema]") {
  for (const auto& pattern : {"^" + std::string(15'000, '.') + "$", std::string("^(a|b)*a(a|b){9}[]$")}) {
    Schema schema{{"type", "object"}};
    for (int i = 0; i < 10; ++i) schema["properties"]["p" + std::to_string(i)] = {{"pattern", pattern}};
    CHECK(work_of(schema, Strictness::lenient) > 1);
  }
  CHECK(work_of({{"type", std::vector<std::string>(1'000, "string")}, {"pattern", "^(a|b)*a(a|b){9}$"}},
                Strictness::lenient) > 1);
}

TEST_CASE("a self-reference inside allOf adds no constraint", "[schema]") {
  for (
      const auto* const schema :
      {R"({"allOf": [{"$ref": "#"}, {"type": "null"}]})", R"({"$ref": "#", "type": "null"})",
       R"({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}, {"type": ["null", "string"]}]},
                                           "b": {"$ref": "#/$defs/a", "type": ["null", "integer"]}}})"}) {
    INFO(schema);
    const auto grammar = grammar_of(schema);
    CHECK(accepts(grammar, "null"));
    CHECK_FALSE(accepts(grammar, "1"));
    CHECK_FALSE(accepts(grammar, "\"a\""));
  }
}

TEST_CASE("nested anyOf is stepped through in bounded memory and time", "[schema]") {
  Schema schema{{"anyOf", Schema::array()}, {"$defs", {{"x", {{"anyOf", Schema::array()}}}}}};
  for (int i = 1; i <= 900; ++i) {
    schema["anyOf"].push_back({{"items", {{"$ref", "#/$defs/x"}}}, {"minItems", 1}, {"maxItems", i}});
  }
  auto& others = schema["$defs"]["x"]["anyOf"];
  for (int i = 0; i < 2'000; ++i) others.push_back({{"const", "word " + std::to_string(2'000 - i)}});
  others.push_back({{"const", 7}});
  const auto compiled = compile(schema, Strictness::strict);
  REQUIRE(compiled.index() == 0);
  const auto& grammar = std::get<0>(compiled);
  CHECK(accepts(grammar, "[7]"));  // the cheapest are kept, which come last
  CHECK(accepts(grammar, "[7,7]"));
  CHECK_FALSE(accepts(grammar, "[8]"));
  CHECK(nlohmann::json::accept(random_text(grammar, 30, 1).text));
}

TEST_CASE("a name listed several times in 'required' is written once", "[schema]") {
  const auto grammar = grammar_of(
      R"({"type": "object", "properties": {"b": {"type": "null"}}, "required": ["c", "b", "c", "a"],
          "additionalProperties": {"type": "null"}})");
  CHECK(random_text(grammar, 1'000, 1).text == R"({"b":null,"c":null,"a":null})");
}

TEST_CASE("a lenient recursive schema keeps its reference beside unsupported keywords", "[schema]") {
  const auto grammar = grammar_of(
      R"({"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#", "nullable": true}},
          "required": ["v"]})",
      Strictness::lenient);
  CHECK(accepts(grammar, R"({"v":1,"next":{"v":2,"next":{"v":3}}})"));
  CHECK_FALSE(accepts(grammar, R"({"v":1,"next":{}})"));
}

TEST_CASE("a recursive value is ended after a while", "[schema]") {
  const auto grammar = grammar_of(
      R"({"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#"}}}, "required": ["children"]})");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto [text, tokens, ended] = random_text(grammar, 1'000'000, seed);
    CHECK(ended);
    CHECK(tokens < 2'000);
    CHECK(nlohmann::json::accept(text));
  }
}
