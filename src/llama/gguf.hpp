/// \file
/// A loaded GGUF file: the common part of its language model and its embedding model.
#pragma once

#include "inferwire/llama/llama.hpp"

#include <llama.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::llama {

struct FreeModel {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
struct FreeContext {
  void operator()(llama_context* context) const { llama_free(context); }
};
using Context = std::unique_ptr<llama_context, FreeContext>;

/// Immutable, safe from any thread.
class Gguf {
 public:
  static Result<std::shared_ptr<const Gguf>> load(const LlamaOptions& options);

  /// The name of the file without its directory and ".gguf".
  const std::string& name() const noexcept { return name_; }
  int context_window() const noexcept { return context_window_; }
  const llama_model* model() const noexcept { return model_.get(); }
  const llama_vocab* vocabulary() const noexcept { return vocabulary_; }
  int vocabulary_size() const noexcept { return static_cast<int>(pieces_.size()); }
  /// Empty for special tokens and for numbers outside the vocabulary.
  std::string_view bytes(engine::Token token) const;
  /// Splits a text into tokens. If `special`, spellings of special tokens become those tokens, and the tokens
  /// that begin a text are prepended.
  std::vector<engine::Token> tokenize(std::string_view utf8, bool special) const;

  /// A context for one text. Throws std::runtime_error if it cannot be allocated.
  Context make_context(bool embeddings) const;

 private:
  Gguf(llama_model* model, const LlamaOptions& options);

  std::unique_ptr<llama_model, FreeModel> model_;
  const llama_vocab* vocabulary_;
  std::vector<std::string> pieces_;
  std::string name_;
  int context_window_;
  int threads_;
};

/// Decodes tokens in a context. Throws std::runtime_error if llama.cpp fails.
void decode(llama_context* context, std::span<const engine::Token> tokens);

}  // namespace inferwire::inline v0_1::llama
