#include "inferwire/provider.hpp"

#include <utility>

namespace inferwire::inline v0_1 {

namespace {
const AuthRow databricks_auth{.scheme = AuthScheme::databricks,
                              .key_variable = "DATABRICKS_TOKEN",
                              .base_url_variable = "DATABRICKS_HOST"};
/// "Model Serving limits": 4 MB a request, of which quoting takes its part. Pay-per-token endpoints take 150
/// texts.
const BatchRow databricks_batch{.embedding_inputs = 150, .embedding_bytes = 3u << 20};
}  // namespace

Provider Provider::databricks() {
  const Route invocations{.path = "/serving-endpoints/{model}/invocations", .model_in_body = false};
  return {.name = "databricks",
          .chat = invocations,
          .completions = invocations,
          .embeddings = invocations,
          .responses = {.path = "/serving-endpoints/responses"},
          .models = {.path = "/api/2.0/serving-endpoints"},
          .auth = databricks_auth,
          .rules = RuleSet::databricks,
          .batch = databricks_batch};
}

Provider Provider::databricks_openai() {
  return {.name = "databricks",
          .chat = {.path = "/serving-endpoints/chat/completions"},
          .completions = {.path = "/serving-endpoints/completions"},
          .embeddings = {.path = "/serving-endpoints/embeddings"},
          .responses = {.path = "/serving-endpoints/responses"},
          .models = {.path = "/api/2.0/serving-endpoints"},
          .auth = databricks_auth,
          .rules = RuleSet::databricks,
          .batch = databricks_batch};
}

Provider Provider::databricks_open_responses() {
  auto row = databricks();
  row.responses.path = "/serving-endpoints/open-responses";
  return row;
}

Provider Provider::databricks_gateway() {
  return {.name = "databricks",
          .chat = {.path = "/ai-gateway/mlflow/v1/chat/completions"},
          .responses = {.path = "/ai-gateway/mlflow/v1/responses"},
          .auth = databricks_auth,
          .rules = RuleSet::databricks,
          .batch = databricks_batch};
}

Provider Provider::openai() {
  return {.name = "openai",
          .base_url = "https://api.openai.com/v1",
          .chat = {.path = "/chat/completions"},
          .completions = {.path = "/completions"},
          .embeddings = {.path = "/embeddings"},
          .responses = {.path = "/responses"},
          .models = {.path = "/models"},
          .auth = {.key_variable = "OPENAI_API_KEY",
                   .base_url_variable = "OPENAI_BASE_URL",
                   .headers = {{"OpenAI-Organization", "OPENAI_ORG_ID"},
                               {"OpenAI-Project", "OPENAI_PROJECT_ID"}}},
          .rules = RuleSet::openai,
          .base64_embeddings = true,
          // "Create embeddings": 2,048 inputs and 300,000 tokens a request; a token has at least one byte.
          .batch = {.embedding_inputs = 2048, .embedding_bytes = 300'000}};
}

Provider Provider::ai21() {
  return {.name = "ai21",
          .base_url = "https://api.ai21.com/studio/v1",
          .chat = {.path = "/chat/completions"},
          .auth = {.key_variable = "AI21_API_KEY", .base_url_variable = "AI21_BASE_URL"},
          .rules = RuleSet::ai21};
}

Provider Provider::lmi() {
  auto row = lmi_invocations();
  row.chat = {.path = "/v1/chat/completions"};
  return row;
}

Provider Provider::lmi_invocations() {
  const Route invocations{.path = "/invocations", .model_in_body = false};
  return {.name = "lmi",
          .base_url = "http://localhost:8080",
          .chat = invocations,
          .completions = invocations,
          .embeddings = invocations,
          .auth = {.required = false, .base_url_variable = "LMI_BASE_URL"},
          .stream = {.framing = Framing::json_lines,
                     .accept = "application/jsonlines, text/event-stream, application/json;q=0.9"},
          .rules = RuleSet::lmi,
          .embeddings_input = "inputs"};
}

Provider Provider::sagemaker(std::string region) {
  const Route invocations{.path = "/endpoints/{model}/invocations",
                          .model_in_body = false,
                          .stream_path = "/endpoints/{model}/invocations-response-stream"};
  return {
      .name = "sagemaker",
      .base_url = "https://runtime.sagemaker." + (region.empty() ? "{region}" : region) + ".amazonaws.com",
      .chat = invocations,
      .completions = invocations,
      .embeddings = invocations,
      .auth = {.scheme = AuthScheme::sigv4, .service = "sagemaker", .region = std::move(region)},
      // On this path Accept is the service's own; the container hears the other one.
      .stream = {.framing = Framing::json_lines,
                 .accept_header = "X-Amzn-SageMaker-Accept",
                 .accept = "application/jsonlines"},
      .rules = RuleSet::lmi,
      .embeddings_input = "inputs"};
}

}  // namespace inferwire::inline v0_1
