/// \file
/// Real models for the engine: GGUF files, run by llama.cpp.
#pragma once

#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

#include <memory>
#include <string>

namespace inferwire::inline v0_1::llama {

/// How a GGUF file is loaded and run.
struct LlamaOptions {
  std::string path{};  ///< the path of a GGUF file
  /// The maximum number of tokens in prompt and answer together, 1 or more. Default 4,096; never more than
  /// the model was trained for.
  int context_window{4096};
  /// Threads per answer, 1 or more; several answers may be computed at the same time regardless.
  int threads{1};
  /// A directory with the backends of ggml, if they are separate libraries; empty: where ggml looks by
  /// default. The first model loaded in a process decides.
  std::string backends{};
};

/// Loads a language model, with its own tokenizer and chat template. Every state holds a llama.cpp context,
/// so many concurrent answers need much memory. Errors: config (no such file, llama.cpp cannot read it, or an
/// option is out of range).
INFERWIRE_API Result<std::shared_ptr<const engine::LanguageModel>> load_language_model(
    const LlamaOptions& options);

/// Loads an embedding model. The tokens' vectors are pooled as the file specifies (`pooling_type`: their
/// mean, the first or the last), by default to their mean, and normalised to length 1. An instruction is put
/// before the text. Errors: as above.
INFERWIRE_API Result<std::shared_ptr<const engine::EmbeddingModel>> load_embedding_model(
    const LlamaOptions& options);

}  // namespace inferwire::inline v0_1::llama
