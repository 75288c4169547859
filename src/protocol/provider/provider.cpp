#include "inferwire/provider.hpp"

namespace inferwire::inline v0_1 {

Provider Provider::openai() {
  return {
      .name = "openai",
      .base_url = "https://api.openai.com/v1",
      .chat = {.path = "/chat/completions"},
      .completions = {.path = "/completions"},
      .embeddings = {.path = "/embeddings"},
      .responses = {.path = "/responses"},
      .kept_responses = {.path = "/responses"},
      .models = {.path = "/models"},
      .auth = {.key_variable = "OPENAI_API_KEY",
               .base_url_variable = "OPENAI_BASE_URL",
               .headers = {{"OpenAI-Organization", "OPENAI_ORG_ID"}, {"OpenAI-Project", "OPENAI_PROJECT_ID"}},
               .headers_variable = "OPENAI_CUSTOM_HEADERS"},
      .rules = RuleSet::openai,
      .base64_embeddings = true,
      // "Create embeddings": 2,048 inputs and 300,000 tokens per request; a token has at least one byte.
      .batch = {.embedding_inputs = 2048, .embedding_bytes = 300'000}};
}

Provider Provider::ai21() {
  return {.name = "ai21",
          .base_url = "https://api.ai21.com/studio/v1",
          .chat = {.path = "/chat/completions"},
          .auth = {.key_variable = "AI21_API_KEY", .base_url_variable = "AI21_API_HOST"},
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

}  // namespace inferwire::inline v0_1
