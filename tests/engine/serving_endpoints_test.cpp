// Databricks' control plane, and the built-in endpoints.
#include "engine/endpoints.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/engine.hpp"
#include "support/ask.hpp"
#include "support/catch.hpp"
#include "wrapped_model.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

using namespace inferwire;
using namespace inferwire_test;
using nlohmann::json;

namespace {

const std::string plane = "/api/2.0/serving-endpoints";

Answered call(engine::Engine& engine, std::string method, const std::string& path, std::string body = "") {
  return ask(engine, {.method = std::move(method), .url = "http://e" + path, .body = std::move(body)});
}

std::string a_b_test(int first, int second) {
  return json{{"name", "mine"},
              {"config",
               {{"served_entities",
                 {{{"name", "a"}, {"entity_name", "system.ai.pt-chat"}, {"entity_version", "3"}},
                  {{"name", "b"}, {"entity_name", "inferwire-toy-1"}, {"entity_version", "1"}}}},
                {"traffic_config",
                 {{"routes",
                   {{{"served_model_name", "a"}, {"traffic_percentage", first}},
                    {{"served_entity_name", "b"}, {"traffic_percentage", second}}}}}}}}}
      .dump();
}

}  // namespace

TEST_CASE("every bundled endpoint is listed with its task, and answers") {
  engine::Engine engine;
  const auto list = json::parse(call(engine, "GET", plane).body)["endpoints"];
  std::map<std::string, std::string> requests{
      {"llm/v1/chat", R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1})"},
      {"llm/v1/completions", R"({"prompt":"Hi","max_tokens":1})"},
      {"llm/v1/embeddings", R"({"input":"Hi"})"}};
  std::set<std::string> names;
  for (const auto& endpoint : list) {
    const std::string name = endpoint["name"];
    INFO(name);
    names.insert(name);
    CHECK(ask(engine, "/serving-endpoints/" + name + "/invocations", requests.at(endpoint["task"]))
              .head.status == 200);
  }
  for (const std::string name :
       {"databricks-meta-llama-3-3-70b-instruct", "databricks-llama-2-70b-chat", "databricks-mpt-7b-instruct",
        "databricks-bge-large-en", "databricks-gpt-5", "databricks-gpt-oss-120b",
        "databricks-claude-sonnet-4", "external-gemini", "pt-chat", "pt-completion", "jamba-1.5-mini",
        "jamba-1.5-large", "jamba-mini", "jamba-large", "inferwire-toy", "inferwire-embed"}) {
    INFO(name);
    CHECK(names.contains(name));
  }
}

TEST_CASE("an endpoint is created, answers, is described, and is deleted") {
  engine::Engine engine;
  const auto created = call(engine, "POST", plane, a_b_test(30, 70));
  INFO(created.body);
  REQUIRE(created.head.status == 200);
  CHECK(json::parse(created.body)["name"] == "mine");
  const auto described = json::parse(call(engine, "GET", plane + "/mine").body);
  CHECK(described["task"] == "llm/v1/chat");
  CHECK(described["config"] == json::parse(created.body)["config"]);
  CHECK(described["config"]["served_entities"] == json::parse(a_b_test(30, 70))["config"]["served_entities"]);
  CHECK(described["config"]["traffic_config"]["routes"][1]["traffic_percentage"] == 70);
  CHECK(call(engine, "POST", plane, a_b_test(30, 70)).head.status == 400);
  CHECK_THAT(call(engine, "POST", plane, a_b_test(30, 70)).body, contains("RESOURCE_ALREADY_EXISTS"));

  std::map<std::string, int> answers;
  for (int i = 0; i < 200; ++i) {
    const auto answer = ask(engine, "/serving-endpoints/mine/invocations",
                            R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1,"n":2})");
    ++answers[json::parse(answer.body)["model"]];
  }
  CHECK(answers["a"] + answers["b"] == 200);
  CHECK(answers["a"] > 30);
  CHECK(answers["b"] > 100);

  CHECK(call(engine, "DELETE", plane + "/mine").head.status == 200);
  CHECK(call(engine, "DELETE", plane + "/mine").head.status == 404);
  CHECK_THAT(call(engine, "DELETE", plane + "/mine").body, contains("RESOURCE_DOES_NOT_EXIST"));
  CHECK(ask(engine, "/serving-endpoints/mine/invocations", "{}").head.status == 404);
  const auto gone = call(engine, "GET", plane + "/mine");
  CHECK(gone.head.status == 404);
  CHECK(json::parse(gone.body) == json{{"error_code", "RESOURCE_DOES_NOT_EXIST"},
                                       {"message", "Endpoint with name 'mine' does not exist."}});
}

TEST_CASE("an endpoint that serves a created endpoint has its own served_entities") {
  engine::Engine engine;
  REQUIRE(call(engine, "POST", plane, a_b_test(30, 70)).head.status == 200);
  const auto created =
      call(engine, "POST", plane,
           R"({"name":"next","config":{"served_entities":[{"name":"c","entity_name":"mine"}]}})");
  INFO(created.body);
  REQUIRE(created.head.status == 200);
  const auto config = json::parse(created.body)["config"];
  CHECK(config["served_entities"].size() == 1);
  CHECK(config["served_entities"][0]["name"] == "c");
}

TEST_CASE("a created endpoint has provisioned throughput, whatever it was made of") {
  engine::Engine engine;
  const std::string chat = R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1,"n":2})";
  const auto prompt_tokens = [&](const std::string& endpoint) {
    return good(
        ask(engine, "/serving-endpoints/" + endpoint + "/invocations", chat))["usage"]["prompt_tokens"];
  };
  for (const std::string base : {"databricks-llama-2-70b-chat", "databricks-meta-llama-3-3-70b-instruct"}) {
    INFO(base);
    REQUIRE(call(engine, "POST", plane,
                 R"({"name":"my-)" + base + R"(","config":{"served_entities":[{"entity_name":")" + base +
                     R"("}]}})")
                .head.status == 200);
    CHECK(prompt_tokens("my-" + base) == prompt_tokens("pt-chat"));
  }
}

TEST_CASE("an external_model is served by a bundled model of its task") {
  engine::Engine engine;
  const std::pair<std::string, std::string> tasks[] = {
      {"chat", R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1})"},
      {"completions", R"({"prompt":"Hi","max_tokens":1})"},
      {"embeddings", R"({"input":"Hi"})"}};
  for (const auto& [task, request] : tasks) {
    INFO(task);
    const json external{{"name", "gpt-4o"},
                        {"provider", "openai"},
                        {"task", "llm/v1/" + task},
                        {"openai_config", {{"openai_api_key", "{{secrets/a/b}}"}}}};
    const auto created = call(
        engine, "POST", plane,
        json{{"name", task}, {"config", {{"served_entities", {{{"external_model", external}}}}}}}.dump());
    INFO(created.body);
    CHECK(created.head.status == 200);
    CHECK(json::parse(created.body)["task"] == "llm/v1/" + task);
    const auto answer = ask(engine, "/serving-endpoints/" + task + "/invocations", request);
    CHECK(answer.head.status == 200);
    CHECK(json::parse(answer.body)["model"] == "gpt-4o");
  }
}

TEST_CASE("capabilities.function_calling says whether an endpoint calls functions") {
  engine::Engine engine;
  for (const auto& [name, calls] : {std::pair("databricks-claude-sonnet-4", true),
                                    {"jamba-mini", true},
                                    {"databricks-llama-2-70b-chat", false},
                                    {"pt-completion", false},
                                    {"databricks-bge-large-en", false}}) {
    INFO(name);
    const auto described = json::parse(call(engine, "GET", plane + "/" + name).body);
    CHECK(described["capabilities"]["function_calling"] == calls);
  }
}

TEST_CASE("creating an invalid endpoint is refused with the reason") {
  struct Case {
    std::string request, says;
  };
  const auto bad = GENERATE(values<Case>({
      {"{}", "'name'"},
      {R"({"name":"x"})", "'config.served_entities'"},
      {R"({"name":"x","config":{"served_entities":[]}})", "'config.served_entities'"},
      {R"({"name":"x","config":{"served_entities":[{"name":"a"}]}})",
       "'config.served_entities[0].entity_name'"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"nobody"}]}})", "no model called 'nobody'"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat"},{"entity_name":"pt-completion"}]}})",
       "the same task"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat"},{"entity_name":"inferwire-toy"}]}})",
       "'config.traffic_config.routes'"},
      {R"({"name":"x","config":{"served_entities":[{"external_model":{"task":"llm/v1/chat"}}]}})",
       "'config.served_entities[0].external_model.name'"},
      {R"({"name":"x","config":{"served_entities":[{"external_model":{"name":"m","task":"llm/v1/song"}}]}})",
       "'config.served_entities[0].external_model.task'"},
      {R"({"name":1})", "Invalid type for 'name': expected a string, but got an integer"},
      {R"({"name":"x","config":1})", "Invalid type for 'config': expected an object"},
      {R"({"name":"x","config":{"served_entities":{}}})",
       "Invalid type for 'config.served_entities': expected a list"},
      {R"({"name":"x","config":{"served_entities":[1]}})",
       "Invalid type for 'config.served_entities[0]': expected an object"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":1}]}})",
       "Invalid type for 'config.served_entities[0].entity_name': expected a string"},
      {R"({"name":"x","config":{"served_models":[{"model_name":1}]}})",
       "Invalid type for 'config.served_models[0].model_name': expected a string"},
      {R"({"name":"x","config":{"served_entities":[{"name":5,"entity_name":"pt-chat"}]}})",
       "Invalid type for 'config.served_entities[0].name': expected a string"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat","entity_version":3}]}})",
       "Invalid type for 'config.served_entities[0].entity_version': expected a string"},
      {R"({"name":"x","config":{"served_entities":[{"external_model":5}]}})",
       "Invalid type for 'config.served_entities[0].external_model': expected an object"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat"}],"traffic_config":1}})",
       "Invalid type for 'config.traffic_config': expected an object"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat"}],"traffic_config":{"routes":[1]}}})",
       "Invalid type for 'config.traffic_config.routes[0]': expected an object"},
      {R"({"name":")" + std::string(301, 'x') + R"(","config":{"served_entities":[]}})",
       "at most 300 bytes are supported, but got 301"},
      {R"({"name":"x","config":{"served_entities":[{"entity_name":"pt-chat","entity_version":")" +
           std::string(301, '1') + R"("}]}})",
       "'config.served_entities[0].entity_version'"},
      {a_b_test(30, 60), "sum to 100, but got 90"},
      {a_b_test(130, -30), "traffic_percentage"},
  }));
  INFO(bad.request);
  engine::Engine engine;
  const auto answer = call(engine, "POST", plane, bad.request);
  CHECK(answer.head.status == 400);
  CHECK_THAT(answer.body, contains(bad.says));
}

TEST_CASE("serving endpoints are limited to 1000, and to 32 entities each") {
  engine::Engine engine;
  const auto create = [&](int number, std::size_t entities, std::size_t routes) {
    json config{{"served_entities", json::array()}, {"traffic_config", {{"routes", json::array()}}}};
    for (std::size_t i = 0; i < entities; ++i) {
      config["served_entities"].push_back({{"entity_name", "pt-chat"}, {"name", "m" + std::to_string(i)}});
    }
    for (std::size_t i = 0; i < routes; ++i) {
      config["traffic_config"]["routes"].push_back({{"served_model_name", "m" + std::to_string(entities - 1)},
                                                    {"traffic_percentage", i == 0 ? 100 : 0}});
    }
    return call(engine, "POST", plane, json{{"name", std::to_string(number)}, {"config", config}}.dump());
  };
  CHECK_THAT(create(0, 33, 1).body, contains("at most 32 entities are supported, but got 33"));
  CHECK(create(0, 32, 20'000).head.status == 200);
  int created = 1;
  while (created < 2000 && create(created, 1, 1).head.status == 200) ++created;
  CHECK(created < 1000);
  CHECK_THAT(create(created, 1, 1).body, contains("at most 1000 endpoints are supported"));
  CHECK(call(engine, "DELETE", plane + "/0").head.status == 200);
  CHECK(create(created, 1, 1).head.status == 200);
}

TEST_CASE("an external model's answer has safetyRating") {
  engine::Engine engine;
  const auto answer = ask(engine, "/serving-endpoints/external-gemini/invocations",
                          R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1})");
  CHECK(json::parse(answer.body)["choices"][0]["extra_fields"].contains("safetyRating"));
}

TEST_CASE("content of any kind beside tool calls may be sent back") {
  engine::Engine engine;
  const auto with = [](const std::string& content) {
    return R"({"max_tokens":1,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":)" +
           content +
           R"(,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"c","content":"1"}]})";
  };
  for (const std::string content :
       {"null", R"("")", R"(" ")", R"("Let me look.")", R"([{"type":"text","text":"Let me look."}])",
        R"([{"type":"reasoning","summary":[{"type":"summary_text","text":"x","signature":"s"}]}])"}) {
    INFO(content);
    for (const std::string name : {"databricks-claude-sonnet-4", "databricks-gpt-oss-120b"}) {
      const auto answer = ask(engine, "/serving-endpoints/" + name + "/invocations", with(content));
      INFO(answer.body);
      CHECK(answer.head.status == 200);
    }
  }
  CHECK_THAT(ask(engine, "/serving-endpoints/databricks-llama-2-70b-chat/invocations", with("null")).body,
             contains("unknown field \\\"tool_calls\\\""));
}

TEST_CASE("only Claude takes cache_control on tool calls") {
  engine::Engine engine;
  const std::string request =
      R"({"max_tokens":1,"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[
      {"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"cache_control":"ephemeral"}]},
      {"role":"tool","tool_call_id":"c","content":"1"}]})";
  const auto claude = ask(engine, "/serving-endpoints/databricks-claude-sonnet-4/invocations", request);
  INFO(claude.body);
  CHECK(claude.head.status == 200);
  const auto llama =
      ask(engine, "/serving-endpoints/databricks-meta-llama-3-3-70b-instruct/invocations", request);
  CHECK(llama.head.status == 400);
  CHECK_THAT(llama.body, contains("messages[1].tool_calls[0].cache_control"));
}

TEST_CASE("a served model answers with its own models, or else with its endpoint's") {
  const auto own = engine::toy_model();
  const auto own_embeddings = engine::toy_embedding_model();
  const auto common = std::make_shared<const WrappedModel>();
  const auto endpoint = std::make_shared<const engine::Endpoint>(engine::Endpoint{
      .name = "mine",
      .model = common,
      .served_models = {
          {.name = "a", .traffic_percentage = 30, .model = own, .embedding_model = own_embeddings},
          {.name = "b", .traffic_percentage = 70}}});
  for (const unsigned lot : {0U, 29U, 30U, 99U, 100U}) {
    CAPTURE(lot);
    const auto drawn = engine::draw_served_model(endpoint, lot);
    const bool first = lot % 100 < 30;
    CHECK(drawn->served_model == (first ? "a" : "b"));
    CHECK((drawn->model == own) == first);
    CHECK((drawn->model == common) == !first);
    CHECK(drawn->embedding_model == (first ? own_embeddings : nullptr));
  }
}

TEST_CASE("literal_defaults gives the documents' own defaults") {
  engine::Engine engine({.literal_defaults = true});
  const std::string chat = R"({"messages":[{"role":"user","content":"Hi"}],"max_tokens":1)";
  CHECK(ask(engine, "/serving-endpoints/pt-chat/invocations", chat + "}").streamed);
  const auto whole = ask(engine, "/serving-endpoints/pt-chat/invocations", chat + R"(,"stream":false})");
  CHECK_FALSE(whole.streamed);
  CHECK(json::parse(whole.body)["object"] == "chat.completions");
  CHECK(ask(engine, "/serving-endpoints/pt-completion/invocations", R"({"prompt":"x","max_tokens":1})")
            .streamed);
  CHECK_THAT(ask(engine, "/serving-endpoints/pt-completion/invocations", R"({"prompt":["x","y"]})").body,
             contains("'prompt'") && contains("unless 'stream' is false"));
  CHECK_FALSE(ask(engine, "/serving-endpoints/databricks-llama-2-70b-chat/invocations", chat + "}").streamed);
  CHECK_FALSE(ask(engine, "/v1/chat/completions", chat + R"(,"model":"inferwire-toy"})").streamed);
}
