#include "inferwire/provider.hpp"

namespace inferwire::inline v0_1 {

namespace {
const AuthRow databricks_auth{.key_variable = "DATABRICKS_TOKEN", .base_url_variable = "DATABRICKS_HOST"};
}  // namespace

Provider Provider::databricks() {
  const Route invocations{.path = "/serving-endpoints/{model}/invocations", .model_in_body = false};
  return {.name = "databricks",
          .chat = invocations,
          .completions = invocations,
          .embeddings = invocations,
          .responses = {.path = "/serving-endpoints/responses"},
          .models = {.path = "/api/2.0/serving-endpoints"},
          .auth = databricks_auth};
}

Provider Provider::databricks_openai() {
  return {.name = "databricks",
          .chat = {.path = "/serving-endpoints/chat/completions"},
          .completions = {.path = "/serving-endpoints/completions"},
          .embeddings = {.path = "/serving-endpoints/embeddings"},
          .responses = {.path = "/serving-endpoints/responses"},
          .models = {.path = "/api/2.0/serving-endpoints"},
          .auth = databricks_auth};
}

Provider Provider::openai() {
  return {.name = "openai",
          .base_url = "https://api.openai.com/v1",
          .chat = {.path = "/chat/completions"},
          .completions = {.path = "/completions"},
          .embeddings = {.path = "/embeddings"},
          .responses = {.path = "/responses"},
          .models = {.path = "/models"},
          .auth = {.key_variable = "OPENAI_API_KEY", .base_url_variable = "OPENAI_BASE_URL"}};
}

}  // namespace inferwire::inline v0_1
