// Answers in JSON, as clients ask for them.
#include "inferwire/engine/engine.hpp"
#include "inferwire/schema.hpp"
#include "random_schema.hpp"
#include "schema_validator.hpp"
#include "shared_engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const std::string openai = "/v1/chat/completions";
const std::string databricks = "/serving-endpoints/databricks-meta-llama-3-3-70b-instruct/invocations";
const std::string responses = "/v1/responses";

const std::string city_schema = R"({"type":"object","properties":{"city":{"type":"string"},
    "days":{"type":"integer","minimum":1,"maximum":14},"rain":{"type":"boolean"}},
    "required":["city","days","rain"],"additionalProperties":false})";

/// A chat request to OpenAI's mount, with further members.
std::string chat(const std::string& members) {
  return R"({"model":"inferwire-toy","messages":[{"role":"user","content":"The weather in Paris, as JSON."}],)" +
         members + "}";
}
std::string format(const std::string& schema, bool strict = true) {
  return R"("response_format":{"type":"json_schema","json_schema":{"name":"weather","strict":)" +
         std::string(strict ? "true" : "false") + R"(,"schema":)" + schema + "}}";
}

json choice_of(const Answered& answer) { return parsed(answer)["choices"][0]; }

}  // namespace

TEST_CASE("an answer under response_format is an instance of its schema", "[structured]") {
  const SchemaValidator validator(json::parse(city_schema));
  for (int seed = 0; seed < 50; ++seed) {
    const auto choice = choice_of(
        ask(shared_engine(), openai, chat(format(city_schema) + ",\"seed\":" + std::to_string(seed))));
    CHECK(choice["finish_reason"] == "stop");
    const auto text = choice["message"]["content"].get<std::string>();
    INFO(text);
    CHECK(validator.fault(json::parse(text)) == "");
  }
}

TEST_CASE("lists of an answer under a schema have an element, and trees end", "[structured]") {
  const std::string tasks = R"({"type":"object","properties":{"tasks":{"type":"array","items":
      {"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}},
      "required":["tasks"],"additionalProperties":false})";
  const std::string tree = R"({"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},
      "required":["kids"],"additionalProperties":false})";
  const auto written = [](const std::string& schema, int seed, const std::string& members = "") {
    const auto choice = choice_of(
        ask(shared_engine(), openai, chat(format(schema) + ",\"seed\":" + std::to_string(seed) + members)));
    CHECK(choice["finish_reason"] == "stop");
    const auto text = choice["message"]["content"].get<std::string>();
    INFO(text);
    CHECK(SchemaValidator(json::parse(schema)).fault(json::parse(text)) == "");
    return json::parse(text);
  };
  for (int seed = 0; seed < 30; ++seed) {
    CHECK_FALSE(written(tasks, seed)["tasks"].empty());
    CHECK_FALSE(written(tree, seed)["kids"][0]["kids"].empty());
  }
  CHECK(written(tasks, 1, R"(,"max_tokens":12)")["tasks"].empty());
}

TEST_CASE("response_format holds with every sampling parameter", "[structured]") {
  const SchemaValidator validator(json::parse(city_schema));
  for (const auto* const members :
       {R"("temperature":0)", R"("temperature":2)", R"("top_p":0.01)", R"("top_k":1)",
        R"("frequency_penalty":2)", R"("ignore_eos":true)", R"("stop":["{","\"",":"])", R"("n":3)",
        R"("max_tokens":40)", R"("logit_bias":{"123":-100,"125":-100,"34":-100})"}) {
    INFO(members);
    const auto answer = parsed(ask(shared_engine(), openai, chat(format(city_schema) + "," + members)));
    for (const auto& choice : answer["choices"]) {
      CHECK(validator.fault(json::parse(choice["message"]["content"].get<std::string>())) == "");
      CHECK(choice["finish_reason"] == "stop");
    }
  }
}

TEST_CASE("a stream under response_format joins to the whole answer", "[structured]") {
  RandomSchema schemas(99);
  for (int i = 0; i < 60; ++i) {
    const auto request = chat(format(schemas.next().dump(), false) + ",\"seed\":" + std::to_string(i));
    const auto whole = ask(shared_engine(), openai, request);
    const auto streamed =
        ask(shared_engine(), openai, request.substr(0, request.size() - 1) + ",\"stream\":true}");
    CHECK(streamed.head.status == whole.head.status);
    if (whole.head.status != 200) continue;
    CHECK(streamed_text(streamed) == choice_of(whole)["message"]["content"].get<std::string>());
  }
}

TEST_CASE("logprobs of an answer under a schema are the model's own", "[structured]") {
  const auto answer = parsed(
      ask(shared_engine(), openai, chat(format(city_schema) + R"(,"logprobs":true,"top_logprobs":2)")));
  const auto& content = answer["choices"][0]["logprobs"]["content"];
  CHECK(content.size() == answer["usage"]["completion_tokens"]);
  std::string text;
  for (const auto& entry : content) {
    CHECK(entry["logprob"] <= 0);
    for (const auto& byte : entry["bytes"]) text += static_cast<char>(byte.get<int>());
  }
  CHECK(text == answer["choices"][0]["message"]["content"].get<std::string>());
}

TEST_CASE("an answer under a schema that does not fit has finish_reason length", "[structured]") {
  const auto choice =
      choice_of(ask(shared_engine(), openai, chat(format(city_schema) + R"(,"max_tokens":5)")));
  CHECK(choice["finish_reason"] == "length");
  CHECK(choice["message"]["content"].get<std::string>().starts_with("{"));
}

TEST_CASE("json_object gives an object about what was asked", "[structured]") {
  for (int seed = 0; seed < 20; ++seed) {
    const auto choice =
        choice_of(ask(shared_engine(), openai,
                      chat(R"("response_format":{"type":"json_object"},"seed":)" + std::to_string(seed))));
    const auto object = json::parse(choice["message"]["content"].get<std::string>());
    CHECK(object.is_object());
    CHECK(object.contains("weather"));
  }
}

TEST_CASE("Databricks' mount answers under schemas too", "[structured]") {
  const auto request =
      R"({"messages":[{"role":"user","content":"The weather in Paris"}],)" + format(city_schema) + "}";
  const auto choice = choice_of(ask(shared_engine(), databricks, request));
  CHECK(SchemaValidator(json::parse(city_schema))
            .fault(json::parse(choice["message"]["content"].get<std::string>())) == "");
}

TEST_CASE("the Responses API takes the format flat and nested", "[structured]") {
  const auto schema = R"("name":"weather","schema":)" + city_schema;
  for (const auto& inner : {schema, R"("json_schema":{)" + schema + "}"}) {
    const auto answer =
        parsed(ask(shared_engine(), responses,
                   R"({"model":"inferwire-toy","input":"Paris","text":{"format":{"type":"json_schema",)" +
                       inner + "}}}"));
    CHECK(answer["status"] == "completed");
    const auto text = answer["output"][0]["content"][0]["text"].get<std::string>();
    CHECK(SchemaValidator(json::parse(city_schema)).fault(json::parse(text)) == "");
  }
}

TEST_CASE("a strict schema is refused by the keyword that it may not have", "[structured]") {
  const auto refused = [](const std::string& path, const std::string& body) {
    const auto answer = ask(shared_engine(), path, body);
    CHECK(answer.head.status == 400);
    return parsed(answer);
  };
  const auto unknown = R"({"type":"object","properties":{"x":{"type":"string","not":{}}},"required":["x"],
      "additionalProperties":false})";
  const auto error = refused(openai, chat(format(unknown)))["error"];
  CHECK(error["message"] ==
        "Invalid schema for response_format 'weather': In context=('properties', 'x'), 'not' is not "
        "permitted.");
  CHECK(error["param"] == "response_format");
  CHECK(error["code"] == "invalid_json_schema");
  CHECK(ask(shared_engine(), openai, chat(format(unknown, false))).head.status == 200);

  const auto open = R"({"type":"object","properties":{"x":{"type":"string"}},"required":["x"]})";
  CHECK(refused(openai, chat(format(open)))["error"]["message"].get<std::string>().find(
            "'additionalProperties'") != std::string::npos);
  const auto of_databricks = R"({"messages":[{"role":"user","content":"x"}],)" + format(open) + "}";
  CHECK(ask(shared_engine(), databricks, of_databricks).head.status == 200);
  const auto bad = R"({"messages":[{"role":"user","content":"x"}],)" + format(unknown) + "}";
  CHECK(refused(databricks, bad)["error_code"] == "INVALID_PARAMETER_VALUE");
}

TEST_CASE("the result of strict_schema is accepted, and its answers fit the original", "[structured]") {
  const std::string pydantic =
      R"({"$defs":{"Leg":{"properties":{"to":{"title":"To","type":"string"},"next":{"anyOf":[{"$ref":"#/$defs/Leg"},)"
      R"({"type":"null"}],"default":null}},"required":["to"],"title":"Leg","type":"object"},)"
      R"("End":{"enum":["sea","lake"],"title":"End","type":"string"}},"properties":{"km":{"default":7,"minimum":1,)"
      R"("title":"Km","type":"integer"},"leg":{"$ref":"#/$defs/Leg","description":"The first"},"end":{"allOf":[)"
      R"({"$ref":"#/$defs/End"}],"default":"sea"}},"required":["leg"],"title":"River","type":"object"})";
  CHECK(ask(shared_engine(), openai, chat(format(pydantic))).head.status == 400);
  const auto strict = strict_schema(Json::raw(pydantic));
  REQUIRE(strict.problems.empty());
  const SchemaValidator validator(json::parse(pydantic));
  for (int seed = 0; seed < 20; ++seed) {
    const auto answer = ask(shared_engine(), openai,
                            chat(format(strict.schema.text()) + ",\"seed\":" + std::to_string(seed)));
    INFO(answer.body);
    REQUIRE(answer.head.status == 200);
    CHECK(validator.fault(json::parse(choice_of(answer)["message"]["content"].get<std::string>())) == "");
  }
}

TEST_CASE("a schema nested a thousand deep is refused", "[structured]") {
  std::string deep, end;
  for (int i = 0; i < 1'000; ++i) {
    deep += R"({"type":"array","items":)";
    end += "}";
  }
  const auto answer = ask(shared_engine(), openai, chat(format(deep + "true" + end, false)));
  CHECK(answer.head.status == 400);
}

TEST_CASE("a schema of very many members is refused before it is read", "[structured]") {
  std::string members;
  for (int i = 0; i < 300'000; ++i) {
    members += (members.empty() ? "\"p" : ",\"p") + std::to_string(i) + "\":1";
  }
  const auto schema = R"({"type":"object","x":{)" + members + "}}";
  const auto tool = R"("tools":[{"type":"function","function":{"name":"f","parameters":)" + schema + "}}]";
  for (const auto& asked : {format(schema, false), tool}) {
    const auto answer = ask(shared_engine(), openai, chat(asked));
    CHECK(answer.head.status == 400);
    CHECK_THAT(answer.body, contains("it has too many parts"));
  }
}
