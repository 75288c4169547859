#include "cli/serving/gguf.hpp"
#include "inferwire/llama/llama.hpp"

#include <cstdlib>
#include <utility>

namespace inferwire::inline v0_1::cli {

Result<std::vector<engine::Endpoint>> gguf_endpoints(const std::string& path) {
  llama::LlamaOptions options{.path = path};
  if (const char* const backends = std::getenv("INFERWIRE_GGML_BACKENDS")) options.backends = backends;
  auto language = llama::load_language_model(options);
  if (!language) return language.error();
  auto embedding = llama::load_embedding_model(options);
  if (!embedding) return embedding.error();

  const std::string name((*language)->id());
  std::vector<engine::Endpoint> endpoints(2);
  endpoints[0] = {.name = name, .served_model = name, .model = *std::move(language)};
  endpoints[0].context_window = endpoints[0].model->context_window();
  endpoints[1] = {.name = name + "-embed",
                  .served_model = name,
                  .task = engine::EndpointTask::embeddings,
                  .embedding_model = *std::move(embedding)};
  endpoints[1].context_window = endpoints[1].embedding_model->context_window();
  return endpoints;
}

}  // namespace inferwire::inline v0_1::cli
