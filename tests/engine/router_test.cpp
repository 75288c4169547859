#include "engine/router.hpp"

#include "support/catch.hpp"

using namespace inferwire::engine;

TEST_CASE("match_route gives task, name and mount of a path") {
  struct Case {
    std::string method, target;
    Task task;
    std::string name;
    Mount mount;
    std::string id{};
  };
  const auto expected = GENERATE(values<Case>({
      {"POST", "http://h/serving-endpoints/my-model/invocations", Task::invoke, "my-model",
       Mount::databricks},
      {"POST", "http://h/serving-endpoints/a%20b%2Fc/invocations?x=1", Task::invoke, "a b/c",
       Mount::databricks},
      {"POST", "/serving-endpoints/completions", Task::completions, "", Mount::databricks},
      {"POST", "/serving-endpoints/embeddings", Task::embeddings, "", Mount::databricks},
      {"GET", "/api/2.0/serving-endpoints", Task::list_endpoints, "", Mount::databricks},
      {"GET", "/api/2.0/serving-endpoints/e", Task::get_endpoint, "e", Mount::databricks},
      {"POST", "/v1/completions", Task::completions, "", Mount::openai},
      {"POST", "/v1/embeddings", Task::embeddings, "", Mount::openai},
      {"POST", "http://h:80/serving-endpoints/chat/completions", Task::chat, "", Mount::databricks},
      {"POST", "http://h/v1/chat/completions/", Task::chat, "", Mount::openai},
      {"POST", "/v1/chat/completions", Task::chat, "", Mount::openai},
      {"GET", "https://h/v1/models", Task::list_models, "", Mount::openai},
      {"GET", "https://h/v1/models/org/model", Task::get_model, "org/model", Mount::openai},
      {"POST", "/api/2.0/serving-endpoints", Task::create_endpoint, "", Mount::databricks},
      {"DELETE", "/api/2.0/serving-endpoints/e", Task::delete_endpoint, "e", Mount::databricks},
      {"GET", "/.well-known/databricks-config", Task::describe_workspace, "", Mount::databricks},
      {"POST", "/studio/v1/chat/completions", Task::chat, "", Mount::ai21},
      {"POST", "/ai21/v1/chat/completions", Task::chat, "", Mount::ai21},
      {"POST", "/invocations", Task::container, "", Mount::lmi},
      {"POST", "/predictions/m", Task::container, "m", Mount::lmi},
      {"POST", "/lmi/v1/chat/completions", Task::chat, "", Mount::lmi},
      {"POST", "/lmi/invocations", Task::container, "", Mount::lmi},
      {"POST", "/ai-gateway/mlflow/v1/chat/completions", Task::chat, "", Mount::databricks},
      {"POST", "/ai-gateway/mlflow/v1/embeddings", Task::embeddings, "", Mount::databricks},
      {"POST", "/ai-gateway/mlflow/v1/responses", Task::responses, "", Mount::databricks_open_responses},
      {"POST", "/endpoints/e/invocations", Task::container, "e", Mount::sagemaker},
      {"POST", "/endpoints/e/invocations-response-stream", Task::container_stream, "e", Mount::sagemaker},
      {"GET", "https://h/ping", Task::health, "", Mount::openai},
      {"HEAD", "/health", Task::health, "", Mount::openai},
      {"GET", "https://h/v1/responses/resp_1?stream=true", Task::get_response, "", Mount::openai, "resp_1"},
      {"POST", "/v1/responses/input_tokens", Task::count_input, "", Mount::openai},
      {"DELETE", "/v1/responses/a%2Fb/", Task::delete_response, "", Mount::openai, "a/b"},
      {"GET", "/v1/responses/r/input_items?limit=1", Task::list_input_items, "", Mount::openai, "r"},
  }));
  const auto match = match_route(expected.method, expected.target);
  INFO(expected.target);
  CHECK(match.task == expected.task);
  CHECK(match.name == expected.name);
  CHECK(match.id == expected.id);
  CHECK(match.mount == expected.mount);
}

TEST_CASE("match_route gives the allowed method of a path") {
  const auto match = match_route("GET", "/serving-endpoints/m/invocations");
  CHECK_FALSE(match.task);
  CHECK(match.allow == "POST");
  CHECK(match.mount == Mount::databricks);
}

TEST_CASE("match_route of an unknown path gives no task") {
  for (const std::string path :
       {"/", "", "/v1", "/v1/models/", "/v2/chat/completions", "/v1/chat", "http://h"}) {
    INFO(path);
    const auto match = match_route("POST", path);
    CHECK_FALSE(match.task);
    CHECK(match.mount == Mount::openai);
  }
  CHECK(match_route("POST", "/v1/nothing").allow.empty());
  for (const std::string path : {"/serving-endpoints//invocations", "/serving-endpoints/a/b/invocations",
                                 "/serving-endpoints/a/query", "/serving-endpoints"}) {
    INFO(path);
    const auto match = match_route("POST", path);
    CHECK_FALSE(match.task);
    CHECK(match.mount == Mount::databricks);
  }
}

TEST_CASE("match_route of an unknown path gives its mount") {
  CHECK(match_route("POST", "/studio/v1/nothing").mount == Mount::ai21);
  CHECK(match_route("POST", "/lmi/nothing").mount == Mount::lmi);
  CHECK(match_route("POST", "/endpoints/e/nothing").mount == Mount::sagemaker);
}

TEST_CASE("match_route names all methods of a path") {
  CHECK(match_route("PUT", "/api/2.0/serving-endpoints").allow == "GET, POST");
}

TEST_CASE("match_route keeps invalid escapes as they are") {
  CHECK(match_route("POST", "/serving-endpoints/a%zz%4/invocations").name == "a%zz%4");
}

TEST_CASE("path_of gives what lies between host and query") {
  CHECK(path_of("http://h:1/a/b?c#d") == "/a/b");
  CHECK(path_of("http://h") == "");
  CHECK(path_of("/a?u=http://x/y") == "/a");
}

TEST_CASE("match_route takes one segment for an id") {
  CHECK(match_route("GET", "/v1/responses/a/b").allow.empty());
  CHECK(match_route("DELETE", "/v1/responses/r/input_items").allow == "GET");
  CHECK(match_route("POST", "/v1/responses/r").allow == "GET, DELETE");
  CHECK(match_route("GET", "/v1/responses/input_tokens").allow == "POST");
}

TEST_CASE("query_value reads a parameter of the query") {
  const std::string url = "http://h/p?a=1&b&c=%26%20x&a=2#d=5";
  CHECK(query_value(url, "a") == "1");
  CHECK(query_value(url, "b") == "");
  CHECK(query_value(url, "c") == "& x");
  CHECK_FALSE(query_value(url, "d"));
  CHECK_FALSE(query_value(url, "1"));
  for (const std::string none : {"http://h/p", "http://h/p?", "", "#?a=1"})
    CHECK_FALSE(query_value(none, "a"));
}
