// A caller's own schemas, made strict in the form that providers enforce.
#include "inferwire/schema.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

namespace {

using namespace inferwire;

std::vector<std::string> problems_of(const std::string& schema) {
  std::vector<std::string> out;
  for (const auto& [path, detail] : strict_schema(Json::raw(schema)).problems)
    out.push_back(path + ": " + detail);
  return out;
}

/// Makes the schema strict. Checks that there are no problems, and that doing it again changes nothing.
std::string strict(const std::string& schema) {
  const auto made = strict_schema(Json::raw(schema));
  for (const auto& problem : made.problems) UNSCOPED_INFO(problem.path << ": " << problem.detail);
  CHECK(made.problems.empty());
  const auto again = strict_schema(made.schema);
  CHECK(again.problems.empty());
  CHECK(again.schema == made.schema);
  return made.schema.text();
}

/// The schema of an object with one required property.
std::string around(const std::string& property) {
  return R"({"type":"object","properties":{"a":)" + property +
         R"(},"required":["a"],"additionalProperties":false})";
}

enum class End { sea, lake };
INFERWIRE_DESCRIBE_WORDS(End, sea, lake)
struct Node {
  std::string name{};
  inferwire::Optional<End> ends_in{};
  std::vector<Node> children{};
};
INFERWIRE_DESCRIBE(Node, (name, "Its name"), ends_in, children)

}  // namespace

TEST_CASE("strict_schema makes a schema strict in all its parts") {
  CHECK(
      strict(R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},
        "required":["b"]},"c":{"type":"array","items":{"type":"object","additionalProperties":false}}},
        "required":["a","c"]})") ==
      R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},)"
      R"("required":["b"],"additionalProperties":false},)"
      R"("c":{"type":"array","items":{"type":"object","properties":{},"required":[],"additionalProperties":false}}},)"
      R"("required":["a","c"],"additionalProperties":false})");
  const auto described = inferwire::schema_of<Node>();
  CHECK(strict(described.text()) == described.text());
}

TEST_CASE("strict_schema takes the schemas of pydantic") {
  CHECK(
      strict(R"({"$defs":{"End":{"enum":["sea","lake"],"title":"End","type":"string"}},"properties":{
        "name":{"default":"Rhine","examples":["Elbe"],"title":"Name","type":"string"},
        "end":{"$ref":"#/$defs/End","default":"sea","description":"Where it ends"},
        "old":{"allOf":[{"$ref":"#/$defs/End"}]},
        "kind":{"discriminator":{"propertyName":"kind"},"oneOf":[{"$ref":"#/$defs/End"}]},
        "km":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}},
        "required":["old","kind"],"title":"River","type":"object"})") ==
      R"({"$defs":{"End":{"enum":["sea","lake"],"title":"End","type":"string"}},"properties":{)"
      R"("name":{"title":"Name","type":"string"},)"
      R"("end":{"description":"Where it ends","anyOf":[{"$ref":"#/$defs/End"}]},)"
      R"("old":{"$ref":"#/$defs/End"},)"
      R"("kind":{"anyOf":[{"$ref":"#/$defs/End"}]},)"
      R"("km":{"anyOf":[{"type":"integer"},{"type":"null"}]}},)"
      R"("title":"River","type":"object","required":["name","end","old","kind","km"],"additionalProperties":false})");
}

TEST_CASE("strict_schema replaces a $ref at the root") {
  CHECK(
      strict(
          R"({"$ref":"#/$defs/Node","$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"Node":{
        "type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}}}}})") ==
      R"({"$defs":{"Node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},)"
      R"({"type":"null"}]}},"required":["next"],"additionalProperties":false}},)"
      R"("type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},)"
      R"("required":["next"],"additionalProperties":false})");
  CHECK(
      strict(
          R"({"allOf":[{"$ref":"#/$defs/A"}],"title":"R","$defs":{"A":{"allOf":[{"type":"object","properties":{}}]}}})") ==
      R"({"title":"R","$defs":{"A":{"type":"object","properties":{},"required":[],"additionalProperties":false}},)"
      R"("type":"object","properties":{},"required":[],"additionalProperties":false})");
  CHECK(problems_of(R"({"$ref":"#"})").size() == 1);
  const auto generic = around(R"({"$ref":"#/definitions/Partial%3CFoo%3E"})");
  const auto defined =
      generic.substr(0, generic.size() - 1) + R"(,"definitions":{"Partial<Foo>":{"type":"string"}}})";
  CHECK(problems_of(defined).empty());
}

TEST_CASE("strict_schema turns oneOf into anyOf where no two alternatives can fit") {
  const auto branch = [](const std::string& kind) {
    return R"({"type":"object","properties":{"kind":)" + kind +
           R"(},"required":["kind"],"additionalProperties":false})";
  };
  const auto one_of = [](const std::string& a, const std::string& b, const std::string& keyword) {
    return around("{\"" + keyword + "\":[" + a + "," + b + "]}");
  };
  const auto circle = branch(R"({"type":"string","const":"circle"})");
  const auto square = branch(R"({"type":"string","enum":["square","oblong"]})");
  const auto any = branch(R"({"type":"string"})");
  const std::string number = R"({"type":"number"})";
  CHECK(strict(one_of(circle, square, "oneOf")) == one_of(circle, square, "anyOf"));
  CHECK(strict(one_of(circle, number, "oneOf")) == one_of(circle, number, "anyOf"));
  for (const auto& other : {any, circle}) {
    CHECK(problems_of(one_of(circle, other, "oneOf")) ==
          std::vector<std::string>{
              "/properties/a: several of 'oneOf' may fit at once: let them require a property "
              "with values of their own"});
  }
  CHECK(problems_of(one_of(R"({"type":"integer"})", number, "oneOf")).size() == 1);
  CHECK(problems_of(around(R"({"anyOf":[{"type":"string"}],"oneOf":[{"type":"string"}]})")) ==
        std::vector<std::string>{"/properties/a: 'oneOf' stands beside 'anyOf'"});
  CHECK(strict_schema(Json::raw(one_of(circle, any, "oneOf"))).schema.text() == one_of(circle, any, "anyOf"));
}

TEST_CASE("strict_schema takes alternatives for exclusive only by a required property of objects") {
  const auto told_apart = [](const std::string& type, const std::string& one, const std::string& other) {
    const auto branch = [&type](const std::string& value) {
      return R"({"type":)" + type + R"(,"properties":{"k":{"type":["string","number"],"enum":[)" + value +
             R"(]}},"required":["k"]})";
    };
    return problems_of(around("{\"oneOf\":[" + branch(one) + "," + branch(other) + "]}")).empty();
  };
  const std::string object = R"("object")";
  CHECK(told_apart(object, "1", "2.0"));
  CHECK(told_apart(object, R"("1")", "1"));
  CHECK_FALSE(told_apart(object, "1", "1.0"));
  CHECK_FALSE(told_apart(object, R"("a")", R"("\u0061")"));
  CHECK_FALSE(told_apart(object, "[1]", "[ 1]"));
  CHECK_FALSE(told_apart(R"(["object","null"])", "1", "2"));
}

TEST_CASE("strict_schema of 2,000 alternatives takes linear time") {
  std::string branches, definitions;
  for (int i = 0; i < 2000; ++i) {
    const auto number = std::to_string(i);
    branches += (i == 0 ? R"({"$ref":"#/$defs/)" : R"(,{"$ref":"#/$defs/)") + number + "\"}";
    definitions += (i == 0 ? "\"" : ",\"") + number +
                   R"(":{"type":"object","properties":{"k":{"type":"integer","const":)" + number +
                   R"(}},"required":["k"]})";
  }
  CHECK(problems_of(R"({"type":"object","required":["a"],"properties":{"a":{"oneOf":[)" + branches +
                    R"(]}},"$defs":{)" + definitions + "}}")
            .empty());
}

TEST_CASE("strict_schema keeps references valid, or reports them") {
  const auto referring = [](const std::string& schema, const std::string& place) {
    return R"({"type":"object","properties":{"50%":)" + schema + R"(,"b":{"$ref":"#)" + place +
           R"("}},"required":["50%","b"],"additionalProperties":false})";
  };
  const std::string text = R"({"type":"string"})";
  CHECK(strict(referring(R"({"oneOf":[)" + text + "]}", "/properties/50%25/oneOf/0")) ==
        referring(R"({"anyOf":[)" + text + "]}", "/properties/50%25/anyOf/0"));
  for (const auto* const place : {"/properties/50%25/allOf/0", "/properties", "/properties/50%25/x-of"}) {
    CHECK(problems_of(referring(R"({"allOf":[)" + text + R"(],"x-of":{"type":"string"}})", place)) ==
          std::vector<std::string>{"/properties/b: the reference \"#" + std::string(place) +
                                   "\" leads into what is no schema, or has become part of another"});
  }
  for (const std::string index : {"1", "00", "01", "-"}) {
    const auto place = "/properties/50%25/anyOf/" + index;
    CHECK(problems_of(referring(R"({"anyOf":[)" + text + "]}", place)) ==
          std::vector<std::string>{"/properties/b: the reference \"#" + place +
                                   "\" leads to nothing in this document"});
  }
}

TEST_CASE("strict_schema refuses allOf with additionalProperties of another schema") {
  const std::string has = R"("properties":{"a":{"type":"string"}},"required":["a"])";
  const std::string closed = R"("additionalProperties":false)";
  const std::vector<std::string> told{
      "/properties/a: 'allOf' joins 'properties' with 'additionalProperties' of another schema"};
  CHECK(problems_of(around(R"({"type":"object",)" + has + R"(,"allOf":[{)" + closed + "}]}")) == told);
  CHECK(problems_of(around(R"({"type":"object",)" + closed + R"(,"allOf":[{)" + has + "}]}")) == told);
  const std::string whole = R"({"type":"object",)" + has + "," + closed + "}";
  CHECK(strict(around(R"({"allOf":[)" + whole + "]}")) == around(whole));
}

TEST_CASE("strict_schema refuses anyOf with properties other than those beside it") {
  const auto with = [](const std::string& properties) {
    return problems_of(around(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],)"
                              R"("anyOf":[{"type":"object","properties":)" +
                              properties + "}]}"));
  };
  CHECK(with(R"({"a":{"type":["string","null"]}})").empty());
  CHECK(with(R"({"b":{"type":["string","null"]}})") ==
        std::vector<std::string>{"/properties/a: the properties of 'anyOf' are others than those beside it: "
                                 "let each have all of them"});
}

TEST_CASE("strict_schema reports all problems at once, with their pointers") {
  CHECK(
      problems_of(
          R"({"type":"object","additionalProperties":{"type":"string"},"required":["x","d","e","f","g","h","i"],"properties":{
        "a/b~c":{"type":"integer"},
        "d":{"type":"array","items":{"not":{}},"uniqueItems":true,"nullable":true,"x-order":1},
        "e":{"type":"string","format":"uri"},
        "f":{"$ref":"#/$defs/None","minimum":1},
        "g":true,
        "h":{"allOf":[{"type":"string"},{"pattern":"a"}],"type":"string"},
        "i":{"allOf":[{"type":"string"}],"type":"integer"}
        }})") == std::vector<std::string>{
                     "/properties/d/items: 'not' is not enforced",
                     "/properties/d/items: it has no type",
                     "/properties/d: 'uniqueItems' is not enforced",
                     "/properties/d: 'nullable' is not enforced",
                     "/properties/e: the format \"uri\" is not enforced",
                     "/properties/f: the reference \"#/$defs/None\" leads to nothing in this document",
                     "/properties/f: 'minimum' stands beside a reference",
                     "/properties/g: it takes anything: say its type",
                     "/properties/h: 'allOf' is not enforced",
                     "/properties/i: 'allOf' has another 'type' than the schema around it",
                     "/properties/a~1b~0c: it is not required: require it, or let it be null",
                     ": it requires 'x', which is none of its properties",
                     ": 'additionalProperties' has to be false",
                 });
}

TEST_CASE("strict_schema refuses an array without items") {
  CHECK(problems_of(around(R"({"type":["array","null"]})")) ==
        std::vector<std::string>{"/properties/a: it does not say its items"});
}

TEST_CASE("strict_schema refuses an object without properties, except at the root") {
  CHECK(strict(R"({"type":"object"})") ==
        R"({"type":"object","properties":{},"required":[],"additionalProperties":false})");
  CHECK(strict(R"({"type":["object"]})") == strict(R"({"type":"object"})"));
  CHECK(problems_of(around(R"({"type":["object","null"]})")) ==
        std::vector<std::string>{"/properties/a: it takes any properties: name them"});
}

TEST_CASE("strict_schema refuses what is no schema of an object") {
  CHECK(problems_of("[1]") == std::vector<std::string>{": it is no JSON object"});
  CHECK(problems_of("{\"type\":") == std::vector<std::string>{": it is no JSON object"});
  CHECK(strict_schema(Json::raw("{\"type\":")).schema.text() == "{\"type\":");
  CHECK(problems_of(R"({"type":"string"})") ==
        std::vector<std::string>{": the outermost schema has to be of type 'object'"});
  CHECK(problems_of(around(R"({"type":[]})")) == std::vector<std::string>{"/properties/a: it has no type"});
  CHECK(problems_of(R"({"type":"object","anyOf":[{"type":"object","properties":{}}]})") ==
        std::vector<std::string>{": the outermost schema cannot have alternatives"});
  CHECK(problems_of(R"({"allOf":[{"anyOf":[{"type":"object","properties":{}}]}],"type":"object"})") ==
        std::vector<std::string>{": the outermost schema cannot have alternatives"});
  const std::string deep(200, '[');
  CHECK(problems_of(R"({"type":"object","properties":{"a":)" + deep + std::string(200, ']') + "}}").size() ==
        2);
}

TEST_CASE("strict_schema ends at circular references") {
  CHECK_FALSE(
      problems_of(R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"})")
          .empty());
  CHECK_FALSE(
      problems_of(around(R"({"oneOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]})")).empty());
}
