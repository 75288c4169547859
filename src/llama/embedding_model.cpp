#include "engine/model/vector_math.hpp"
#include "llama/gguf.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace inferwire::inline v0_1::llama {
namespace {

class LlamaEmbeddingModel final : public engine::EmbeddingModel {
 public:
  explicit LlamaEmbeddingModel(std::shared_ptr<const Gguf> file) : file_(std::move(file)) {}

  std::string_view id() const override { return file_->name(); }
  int dimensions() const override { return llama_model_n_embd(file_->model()); }
  int context_window() const override { return file_->context_window(); }
  int vocabulary_size() const override { return file_->vocabulary_size(); }
  int count_tokens(std::string_view utf8) const override {
    return utf8.empty() ? 0 : static_cast<int>(file_->tokenize(utf8, true).size());
  }
  std::string text_of(std::span<const std::int32_t> tokens) const override {
    std::string bytes;
    for (const auto token : tokens) bytes += file_->bytes(token);
    return bytes;
  }

  void embed(std::string_view text, std::string_view instruction, std::span<float> out) const override {
    const auto tokens = file_->tokenize(std::string(instruction).append(text), true);
    std::ranges::fill(out, 0.0F);
    if (!tokens.empty()) {
      const auto context = file_->make_context(true);
      decode(context.get(), tokens);
      const float* const vector = llama_get_embeddings_seq(context.get(), 0);
      if (vector == nullptr) throw std::runtime_error("llama.cpp gives no embedding");
      std::ranges::copy(std::span(vector, out.size()),
                        out.begin());  // a shorter embedding is a prefix of the whole
    }
    engine::normalise(out);
  }

 private:
  std::shared_ptr<const Gguf> file_;
};

}  // namespace

Result<std::shared_ptr<const engine::EmbeddingModel>> load_embedding_model(const LlamaOptions& options) {
  auto file = Gguf::load(options);
  if (!file) return file.error();
  return std::shared_ptr<const engine::EmbeddingModel>(
      std::make_shared<LlamaEmbeddingModel>(*std::move(file)));
}

}  // namespace inferwire::inline v0_1::llama
