#include "engine/router.hpp"

#include "support/catch.hpp"

using namespace inferwire::engine;

TEST_CASE("paths lead to their task, name and dialect") {
  struct Case {
    std::string method, target;
    Task task;
    std::string name;
    const Dialect* dialect;
  };
  const auto expected = GENERATE(values<Case>({
      {"POST", "http://h/serving-endpoints/my-model/invocations", Task::invoke, "my-model",
       &databricks_dialect},
      {"POST", "http://h/serving-endpoints/a%20b%2Fc/invocations?x=1", Task::invoke, "a b/c",
       &databricks_dialect},
      {"POST", "/serving-endpoints/completions", Task::completions, "", &databricks_dialect},
      {"POST", "/serving-endpoints/embeddings", Task::embeddings, "", &databricks_dialect},
      {"GET", "/api/2.0/serving-endpoints", Task::list_endpoints, "", &databricks_dialect},
      {"GET", "/api/2.0/serving-endpoints/e", Task::get_endpoint, "e", &databricks_dialect},
      {"POST", "/v1/completions", Task::completions, "", &openai_dialect},
      {"POST", "/v1/embeddings", Task::embeddings, "", &openai_dialect},
      {"POST", "http://h:80/serving-endpoints/chat/completions", Task::chat, "", &databricks_dialect},
      {"POST", "http://h/v1/chat/completions/", Task::chat, "", &openai_dialect},
      {"POST", "/v1/chat/completions", Task::chat, "", &openai_dialect},
      {"GET", "https://h/v1/models", Task::list_models, "", &openai_dialect},
      {"GET", "https://h/v1/models/org/model", Task::get_model, "org/model", &openai_dialect},
      {"GET", "https://h/ping", Task::health, "", &openai_dialect},
  }));
  const auto match = match_route(expected.method, expected.target);
  INFO(expected.target);
  REQUIRE(match.route);
  CHECK(match.route->task == expected.task);
  CHECK(match.name == expected.name);
  CHECK(match.dialect == expected.dialect);
}

TEST_CASE("a path with another method says which it takes") {
  const auto match = match_route("GET", "/serving-endpoints/m/invocations");
  CHECK(match.route == nullptr);
  CHECK(match.allow == "POST");
  CHECK(match.dialect == &databricks_dialect);
}

TEST_CASE("a path that nobody knows has no route, and the errors of its mount") {
  for (const std::string path :
       {"/", "", "/v1", "/v1/models/", "/v2/chat/completions", "/v1/chat", "http://h"}) {
    INFO(path);
    const auto match = match_route("POST", path);
    CHECK(match.route == nullptr);
    CHECK(match.dialect == &openai_dialect);
  }
  CHECK(match_route("POST", "/v1/nothing").allow.empty());
  for (const std::string path : {"/serving-endpoints//invocations", "/serving-endpoints/a/b/invocations",
                                 "/serving-endpoints/a/query", "/serving-endpoints"}) {
    INFO(path);
    const auto match = match_route("POST", path);
    CHECK(match.route == nullptr);
    CHECK(match.dialect == &databricks_dialect);
  }
}

TEST_CASE("escapes that are none stand for themselves") {
  CHECK(match_route("POST", "/serving-endpoints/a%zz%4/invocations").name == "a%zz%4");
}

TEST_CASE("the path of a URL is what lies between host and query") {
  CHECK(path_of("http://h:1/a/b?c#d") == "/a/b");
  CHECK(path_of("http://h") == "");
  CHECK(path_of("/a?u=http://x/y") == "/a");
}
