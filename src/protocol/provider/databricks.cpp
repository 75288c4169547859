// A separate file, so that only programs that name these rows link their authentication.
#include "inferwire/provider.hpp"

namespace inferwire::inline v0_1 {

namespace {

AuthRow databricks_auth() {
  return {.scheme = &auth_scheme::databricks,
          .key_variable = "DATABRICKS_TOKEN",
          .base_url_variable = "DATABRICKS_HOST"};
}

StreamRow databricks_stream() { return {.responses_in_turns = true}; }

/// Databricks' own OpenAI client writes a workspace's URL as "https://host/serving-endpoints".
DedicatedHosts workspace_hosts() {
  return {.suffixes = {".databricks.com", ".azuredatabricks.net", ".databricks.azure.us",
                       ".databricks.azure.cn", ".databricks.us"}};
}

DedicatedHosts gateway_hosts() {
  return {.suffixes = {".ai-gateway.cloud.databricks.com", ".ai-gateway.gcp.databricks.com",
                       ".ai-gateway.azuredatabricks.net"},
          .prefix = "/ai-gateway"};
}

/// "Model Serving limits": 4 MB per request, part of which is used by quoting. Pay-per-token endpoints accept
/// 150 texts.
constexpr BatchRow databricks_batch{.embedding_inputs = 150, .embedding_bytes = 3u << 20};

}  // namespace

Provider Provider::databricks() {
  const Route invocations{.path = "/serving-endpoints/{model}/invocations", .model_in_body = false};
  return {.name = "databricks",
          .dedicated_hosts = {workspace_hosts()},
          .chat = invocations,
          .completions = invocations,
          .embeddings = invocations,
          .responses = {.path = "/serving-endpoints/responses"},
          .models = {.path = "/api/2.0/serving-endpoints"},
          .auth = databricks_auth(),
          .stream = databricks_stream(),
          .rules = RuleSet::databricks,
          .batch = databricks_batch};
}

Provider Provider::databricks_openai() {
  auto row = databricks();
  row.chat = {.path = "/serving-endpoints/chat/completions"};
  row.completions = {.path = "/serving-endpoints/completions"};
  row.embeddings = {.path = "/serving-endpoints/embeddings"};
  return row;
}

Provider Provider::databricks_open_responses() {
  auto row = databricks();
  row.responses.path = "/serving-endpoints/open-responses";
  return row;
}

Provider Provider::databricks_gateway() {
  return {.name = "databricks",
          .dedicated_hosts = {gateway_hosts(), workspace_hosts()},
          .chat = {.path = "/ai-gateway/mlflow/v1/chat/completions"},
          .embeddings = {.path = "/ai-gateway/mlflow/v1/embeddings"},
          .responses = {.path = "/ai-gateway/mlflow/v1/responses"},
          .auth = databricks_auth(),
          .stream = databricks_stream(),
          .rules = RuleSet::databricks,
          .batch = databricks_batch};
}

}  // namespace inferwire::inline v0_1
