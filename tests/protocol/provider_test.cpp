#include "inferwire/provider.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

using namespace inferwire;

namespace {

const std::vector<Provider>& rows() {
  static const std::vector<Provider> all{Provider::databricks(),
                                         Provider::databricks_openai(),
                                         Provider::databricks_open_responses(),
                                         Provider::databricks_gateway(),
                                         Provider::openai(),
                                         Provider::ai21(),
                                         Provider::lmi(),
                                         Provider::lmi_invocations(),
                                         Provider::sagemaker()};
  return all;
}

}  // namespace

TEST_CASE("every provider has a chat path, and a source of its key and base URL") {
  for (const auto& row : rows()) {
    CAPTURE(row.name, row.chat.path);
    CHECK_FALSE(row.name.empty());
    CHECK(row.chat.path.starts_with('/'));
    CHECK_FALSE(row.chat.path.ends_with('/'));
    const bool keyless = !row.auth.required || row.auth.scheme == &inferwire::auth_scheme::sigv4;
    CHECK(row.auth.key_variable.empty() == keyless);
    CHECK_FALSE((row.base_url.empty() && row.auth.base_url_variable.empty()));
  }
}

TEST_CASE("Provider::named finds every row by the name of its function") {
  const std::vector<std::string> names{"databricks",
                                       "databricks_openai",
                                       "databricks_open_responses",
                                       "databricks_gateway",
                                       "openai",
                                       "ai21",
                                       "lmi",
                                       "lmi_invocations",
                                       "sagemaker"};
  REQUIRE(names.size() == rows().size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    CHECK(Provider::named(names[i]) == rows()[i]);
    std::string dashed = names[i];
    std::ranges::replace(dashed, '_', '-');
    CHECK(Provider::named(dashed) == rows()[i]);
    CHECK(Provider::named(rows()[i].name)->name == rows()[i].name);
  }
  for (const auto* name : {"", "open", "openai ", "OpenAI", "databricks__openai"}) {
    CAPTURE(name);
    CHECK_FALSE(Provider::named(name));
  }
}

TEST_CASE("every row has the addresses, media types and limits of its documents") {
  struct Row {
    Provider provider;
    std::string base_url;
    std::string chat, completions, embeddings, responses, kept_responses, models;
    std::string accept;
    std::size_t inputs;
    std::size_t bytes;
  };
  const std::string invocations = "/serving-endpoints/{model}/invocations";
  const std::string endpoint = "/endpoints/{model}/invocations";
  const std::string endpoints = "/api/2.0/serving-endpoints";
  const std::string sse = "text/event-stream, application/json;q=0.9";
  const std::string lines = "application/jsonlines, text/event-stream, application/json;q=0.9";
  const Row table[]{
      {Provider::databricks(), "", invocations, invocations, invocations, "/serving-endpoints/responses", "",
       endpoints, sse, 150, 3'145'728},
      {Provider::databricks_openai(), "", "/serving-endpoints/chat/completions",
       "/serving-endpoints/completions", "/serving-endpoints/embeddings", "/serving-endpoints/responses", "",
       endpoints, sse, 150, 3'145'728},
      {Provider::databricks_open_responses(), "", invocations, invocations, invocations,
       "/serving-endpoints/open-responses", "", endpoints, sse, 150, 3'145'728},
      {Provider::databricks_gateway(), "", "/ai-gateway/mlflow/v1/chat/completions", "",
       "/ai-gateway/mlflow/v1/embeddings", "/ai-gateway/mlflow/v1/responses", "", "", sse, 150, 3'145'728},
      {Provider::openai(), "https://api.openai.com/v1", "/chat/completions", "/completions", "/embeddings",
       "/responses", "/responses", "/models", sse, 2048, 300'000},
      {Provider::ai21(), "https://api.ai21.com/studio/v1", "/chat/completions", "", "", "", "", "", sse, 32,
       1'048'576},
      {Provider::lmi(), "http://localhost:8080", "/v1/chat/completions", "/invocations", "/invocations", "",
       "", "", lines, 32, 1'048'576},
      {Provider::lmi_invocations(), "http://localhost:8080", "/invocations", "/invocations", "/invocations",
       "", "", "", lines, 32, 1'048'576},
      {Provider::sagemaker("eu-west-1"), "https://runtime.sagemaker.eu-west-1.amazonaws.com", endpoint,
       endpoint, endpoint, "", "", "", "application/jsonlines", 32, 1'048'576},
  };
  CHECK(std::size(table) == rows().size());
  for (const auto& row : table) {
    const auto& provider = row.provider;
    CAPTURE(provider.name, row.chat);
    CHECK(provider.base_url == row.base_url);
    CHECK(provider.chat.path == row.chat);
    CHECK(provider.completions.path == row.completions);
    CHECK(provider.embeddings.path == row.embeddings);
    CHECK(provider.responses.path == row.responses);
    CHECK(provider.kept_responses.path == row.kept_responses);
    CHECK(provider.models.path == row.models);
    CHECK(provider.stream.accept == row.accept);
    CHECK(provider.batch.embedding_inputs == row.inputs);
    CHECK(provider.batch.embedding_bytes == row.bytes);
  }
}

TEST_CASE("a path of invocations has model_in_body false") {
  for (const auto& row : rows()) {
    for (const auto* route : {&row.chat, &row.completions, &row.embeddings}) {
      CAPTURE(row.name, route->path);
      CHECK(route->model_in_body == (route->path.find("invocations") == std::string::npos));
    }
  }
}

TEST_CASE("Provider::sagemaker has the host of its region's partition") {
  for (const auto& [region, url] : {
           std::pair{"eu-west-1", "https://runtime.sagemaker.eu-west-1.amazonaws.com"},
           std::pair{"us-gov-west-1", "https://runtime.sagemaker.us-gov-west-1.amazonaws.com"},
           std::pair{"cn-north-1", "https://runtime.sagemaker.cn-north-1.amazonaws.com.cn"},
           std::pair{"us-iso-east-1", "https://runtime.sagemaker.us-iso-east-1.c2s.ic.gov"},
           std::pair{"us-isob-east-1", "https://runtime.sagemaker.us-isob-east-1.sc2s.sgov.gov"},
           std::pair{"", "https://runtime.sagemaker.{region}.amazonaws.com"},
       }) {
    CHECK(Provider::sagemaker(region).base_url == url);
  }
}

TEST_CASE("Provider::sagemaker has its own stream path and accept header") {
  const auto row = Provider::sagemaker("eu-west-1");
  CHECK(row.chat.stream_path == "/endpoints/{model}/invocations-response-stream");
  CHECK(row.stream.accept_header == "X-Amzn-SageMaker-Accept");
  CHECK(row.auth.region == "eu-west-1");
  for (const auto& other : rows()) {
    if (other.name != "sagemaker") CHECK(other.chat.stream_path.empty());
  }
}
