// The lists of models of services.
#include "inferwire/models.hpp"

#include "support/catch.hpp"
#include "wire/documents.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace inferwire;
using nlohmann::json;

TEST_CASE("models::List is read from an OpenAI-compatible server") {
  const json wire = json::parse(R"({"object":"list","data":[
    {"id":"gpt-4o-mini","object":"model","created":1721172741,"owned_by":"system","shutdown_date":"2027-01-14"},
    {"id":"org/model","object":"model","created":1,"owned_by":"vllm","root":"/m","max_model_len":8192}]})");
  const auto list = inferwire::json::decode<models::List>(wire.dump());
  REQUIRE(list);
  REQUIRE(list->data.size() == 2);
  CHECK(list->data[0].request_name() == "gpt-4o-mini");
  CHECK(list->data[0].created == 1721172741);
  CHECK(list->data[0].shutdown_date == "2027-01-14");
  CHECK_FALSE(list->data[1].shutdown_date);
  CHECK(list->data[1].extra.find("max_model_len")->as_int() == 8192);
  CHECK(json::parse(*inferwire::json::encode(*list)) == wire);
}

TEST_CASE("models::List is read from Databricks' serving endpoints") {
  const std::string endpoint = R"({"name":"databricks-bge-large-en","creator":"a@b.c",
    "creation_timestamp":1700000000000,"last_updated_timestamp":1700000000001,
    "state":{"ready":"READY","config_update":"NOT_UPDATING"},
    "config":{"served_entities":[{"name":"bge","foundation_model":{"name":"system.ai.bge"}}]},
    "id":"0123","task":"llm/v1/embeddings","permission_level":"CAN_QUERY",
    "capabilities":{"function_calling":false}})";
  const auto list = inferwire::json::decode<models::List>("{\"endpoints\":[" + endpoint + "]}");
  REQUIRE(list);
  REQUIRE(list->data.size() == 1);
  const auto& model = list->data[0];
  CHECK(model.request_name() == "databricks-bge-large-en");
  CHECK(model.task == models::Task::embeddings);
  CHECK(model.state->find("/ready")->as_string() == "READY");
  CHECK(model.extra.find("permission_level")->as_string() == "CAN_QUERY");
  CHECK(json::parse(*inferwire::json::encode(model)) == json::parse(endpoint));
}

TEST_CASE("a name to be read by people is not for requests") {  // as on OpenRouter
  const auto model = inferwire::json::decode<models::Model>(
      R"({"id":"openai/gpt-4o-mini","name":"OpenAI: GPT-4o-mini","created":1721260800,"context_length":128000})");
  REQUIRE(model);
  CHECK(model->request_name() == "openai/gpt-4o-mini");
  CHECK(inferwire::json::decode<models::Model>(R"({"name":"an endpoint"})").value().request_name() ==
        "an endpoint");
}

TEST_CASE("any member of a serving endpoint tells that its name is for requests") {
  for (const std::string member : {R"("task":"llm/v1/chat")", R"("state":{})", R"("config":{})",
                                   R"("creation_timestamp":1)", R"("creator":"c")"}) {
    CAPTURE(member);
    const auto model =
        inferwire::json::decode<models::Model>(R"({"id":"0123","name":"endpoint",)" + member + "}");
    CHECK(model.value().request_name() == "endpoint");
  }
}

TEST_CASE("a document that has other members is no list of models") {
  for (const auto* text : {R"({"status":"ok"})", R"({"models":["gpt-oss-120b"]})",
                           R"({"data":null,"status":"ok"})", R"({"object":"list","models":["m"]})"}) {
    const auto list = inferwire::json::decode<models::List>(text);
    CAPTURE(text);
    REQUIRE_FALSE(list);
    CHECK(list.error().path == "data");
  }
}

TEST_CASE("a workspace without endpoints has an empty list") {
  for (const auto* text :
       {"{}", R"({"object":"list","data":null})", R"({"object":"list","data":null,"has_more":false})"}) {
    const auto list = inferwire::json::decode<models::List>(text);
    REQUIRE(list);
    CHECK(list->data.empty());
  }
  CHECK_FALSE(inferwire::json::decode<models::List>("{\"data\":7}"));
}

}  // namespace
