/// \file
/// Real models for the engine: GGUF files, run by llama.cpp.
#pragma once

#include <memory>
#include <string>

#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/language_model.hpp"
#include "inferwire/export.hpp"
#include "inferwire/result.hpp"

namespace inferwire::inline v0_1::llama {

/// How a GGUF file is read and run.
struct LlamaOptions {
  std::string path{};  ///< the path of a GGUF file
  /// The most tokens of prompt and answer together. Default 4,096; never more than the model was trained for.
  int context_window{4096};
  int threads{1};  ///< how many compute one answer; several answers may be computed at a time anyway
  /// A directory with the backends of ggml, if they are separate libraries; empty: where ggml looks. The
  /// first model of a process decides.
  std::string backends{};
};

/// The model in a file, with its own tokens and chat template. Every state holds a context of llama.cpp, so
/// many answers at a time take much memory. Errors: config (no such file, or none that llama.cpp can read).
INFERWIRE_API Result<std::shared_ptr<const engine::LanguageModel>> load_language_model(
    const LlamaOptions& options);

/// Loads a file as a model of embeddings: the mean of its tokens' vectors unless it says otherwise, of
/// length 1. An instruction is put before the text.
INFERWIRE_API Result<std::shared_ptr<const engine::EmbeddingModel>> load_embedding_model(
    const LlamaOptions& options);

}  // namespace inferwire::inline v0_1::llama
