#include "llama/gguf.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>

namespace inferwire::inline v0_1::llama {
namespace {

/// The first error that llama.cpp logged on this thread, in one line: its consequences are less informative.
thread_local std::string complaint;

void remember_complaint(ggml_log_level level, const char* text, void*) {
  if (level != GGML_LOG_LEVEL_ERROR || !complaint.empty()) return;
  complaint = text;
  while (complaint.ends_with('\n')) complaint.pop_back();
}

/// Initialises llama.cpp once per process and silences it: a library does not print.
void start_llama(const std::string& backends) {
  static std::once_flag once;
  std::call_once(once, [&backends] {
    llama_log_set(&remember_complaint, nullptr);
    if (backends.empty()) {
      ggml_backend_load_all();
    } else {
      ggml_backend_load_all_from_path(backends.c_str());
    }
    llama_backend_init();
  });
}

std::string piece_of(const llama_vocab* vocabulary, engine::Token token) {
  std::array<char, 256> piece{};
  const int size =
      llama_token_to_piece(vocabulary, token, piece.data(), static_cast<int>(piece.size()), 0, false);
  return std::string(piece.data(), static_cast<std::size_t>(std::max(size, 0)));
}

/// A value of the model's metadata, as text; "" if it has none.
std::string value_of(const llama_model* model, const std::string& key) {
  std::array<char, 64> value{};
  const int size = llama_model_meta_val_str(model, key.c_str(), value.data(), value.size());
  return size < 0 ? std::string() : std::string(value.data());
}

/// Whether the model's file specifies how the vectors of a text's tokens become one vector: no reranker's
/// does, whose pooling makes a score.
bool specifies_pooling(const llama_model* model) {
  const auto type = value_of(model, value_of(model, "general.architecture") + ".pooling_type");
  return type == std::to_string(LLAMA_POOLING_TYPE_MEAN) || type == std::to_string(LLAMA_POOLING_TYPE_CLS) ||
         type == std::to_string(LLAMA_POOLING_TYPE_LAST);
}

}  // namespace

Result<std::shared_ptr<const Gguf>> Gguf::load(const LlamaOptions& options) {
  start_llama(options.backends);
  const auto refuse = [&options](const std::string& why) {
    return Error{.kind = ErrorKind::config, .detail = "the model '" + options.path + "' " + why};
  };
  if (!std::filesystem::is_regular_file(options.path)) return refuse("is no file");
  if (options.context_window < 1 || options.threads < 1) {
    return refuse("needs a context window and a thread");
  }
  complaint.clear();
  auto* model = llama_model_load_from_file(options.path.c_str(), llama_model_default_params());
  if (model == nullptr) return refuse("cannot be read by llama.cpp: " + complaint);
  return std::shared_ptr<const Gguf>(new Gguf(model, options));
}

Gguf::Gguf(llama_model* model, const LlamaOptions& options)
    : model_(model),
      vocabulary_(llama_model_get_vocab(model)),
      name_(std::filesystem::path(options.path).stem().string()),
      context_window_(std::min(options.context_window, llama_model_n_ctx_train(model))),
      threads_(options.threads) {
  const int size = llama_vocab_n_tokens(vocabulary_);
  pieces_.reserve(static_cast<std::size_t>(size));
  for (engine::Token token = 0; token < size; ++token) pieces_.push_back(piece_of(vocabulary_, token));
}

std::string_view Gguf::bytes(engine::Token token) const {
  return token >= 0 && token < vocabulary_size() ? pieces_[static_cast<std::size_t>(token)]
                                                 : std::string_view();
}

std::vector<engine::Token> Gguf::tokenize(std::string_view utf8, bool special) const {
  const auto size = static_cast<std::int32_t>(utf8.size());
  // Called without a buffer, it returns the size needed as a negative number.
  const int count = -llama_tokenize(vocabulary_, utf8.data(), size, nullptr, 0, special, special);
  std::vector<engine::Token> tokens(static_cast<std::size_t>(std::max(count, 0)));
  if (count > 0) llama_tokenize(vocabulary_, utf8.data(), size, tokens.data(), count, special, special);
  return tokens;
}

Context Gguf::make_context(bool embeddings) const {
  // Members are set by name after the defaults, because they differ between versions.
  auto params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(context_window_);
  params.n_batch = params.n_ctx;
  params.n_threads = params.n_threads_batch = threads_;
  params.embeddings = embeddings;
  if (embeddings) {
    params.n_ubatch = params.n_ctx;  // pooling needs the text in one batch
    if (!specifies_pooling(model_.get())) params.pooling_type = LLAMA_POOLING_TYPE_MEAN;
  }
  Context context(llama_init_from_model(model_.get(), params));
  if (!context) throw std::runtime_error("llama.cpp gives no context");
  return context;
}

void decode(llama_context* context, std::span<const engine::Token> tokens) {
  // The batch borrows the tokens without changing them, but its pointer is not const.
  std::vector<engine::Token> copy(tokens.begin(), tokens.end());
  if (llama_decode(context, llama_batch_get_one(copy.data(), static_cast<std::int32_t>(copy.size()))) != 0) {
    throw std::runtime_error("llama.cpp cannot read on");
  }
}

}  // namespace inferwire::inline v0_1::llama
