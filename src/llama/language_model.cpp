#include "llama/gguf.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace inferwire::inline v0_1::llama {
namespace {

using engine::ChatTurn;
using engine::LanguageModel;
using engine::Token;

/// A context and its logits of the next token, which llama.cpp does not copy with a context.
class LlamaState final : public LanguageModel::State {
 public:
  explicit LlamaState(std::shared_ptr<const Gguf> file)
      : file_(std::move(file)), context_(file_->make_context(false)) {}

  void read(std::span<const Token> tokens) {
    decode(context_.get(), tokens);
    const float* const logits = llama_get_logits_ith(context_.get(), -1);
    logits_.assign(logits, logits + file_->vocabulary_size());
  }

  std::span<const float> logits() const noexcept { return logits_; }

  std::unique_ptr<State> clone() const override {
    auto copy = std::make_unique<LlamaState>(file_);
    std::vector<std::uint8_t> memory(llama_state_get_size(context_.get()));
    const auto size = llama_state_get_data(context_.get(), memory.data(), memory.size());
    if (llama_state_set_data(copy->context_.get(), memory.data(), size) == 0) {
      throw std::runtime_error("llama.cpp cannot copy a context");
    }
    copy->logits_ = logits_;
    return copy;
  }

 private:
  std::shared_ptr<const Gguf> file_;  // outlives the context
  Context context_;
  std::vector<float> logits_;
};

class LlamaLanguageModel final : public LanguageModel {
 public:
  explicit LlamaLanguageModel(std::shared_ptr<const Gguf> file) : file_(std::move(file)) {}

  std::string_view id() const override { return file_->name(); }
  int vocabulary_size() const override { return file_->vocabulary_size(); }
  int context_window() const override { return file_->context_window(); }
  std::vector<Token> tokenize(std::string_view utf8, bool parse_special) const override {
    return file_->tokenize(utf8, parse_special);
  }
  std::string_view token_bytes(Token token) const override { return file_->bytes(token); }
  bool is_end(Token token) const override { return llama_vocab_is_eog(file_->vocabulary(), token); }

  std::string render(std::span<const ChatTurn> turns) const override {
    std::vector<llama_chat_message> messages;
    for (const auto& turn : turns) messages.push_back({turn.role.c_str(), turn.text.c_str()});
    const char* const own = llama_model_chat_template(file_->model(), nullptr);
    auto text = own != nullptr ? render(own, messages) : std::string();
    if (text.empty()) text = render("chatml", messages);  // no template, or one unknown to llama.cpp
    return text;
  }

  std::unique_ptr<State> start(std::span<const Token> prompt) const override {
    auto state = std::make_unique<LlamaState>(file_);
    // An empty prompt gives no logits to start from.
    const Token beginning = std::max(0, llama_vocab_bos(file_->vocabulary()));
    state->read(prompt.empty() ? std::span(&beginning, 1) : prompt);
    return state;
  }
  void advance(State& state, Token token) const override {
    static_cast<LlamaState&>(state).read(std::span(&token, 1));
  }

  void log_probs(const State& state, std::span<float> out) const override {
    const auto logits = static_cast<const LlamaState&>(state).logits();
    const float largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit - largest));
    const float shift = largest + static_cast<float>(std::log(sum));
    constexpr float least = -1e4F;  // impossible tokens, and NaN, become very unlikely: all values are finite
    std::ranges::transform(logits, out.begin(), [&](float logit) { return std::max(least, logit - shift); });
  }

 private:
  static std::string render(const char* form, std::span<const llama_chat_message> messages) {
    constexpr bool opens_answer = true;
    std::string text;
    for (int size = 1024; size > static_cast<int>(text.size());) {
      text.resize(static_cast<std::size_t>(size));
      size = llama_chat_apply_template(form, messages.data(), messages.size(), opens_answer, text.data(),
                                       static_cast<int>(text.size()));
      if (size <= static_cast<int>(text.size())) {
        text.resize(static_cast<std::size_t>(std::max(size, 0)));
        break;
      }
    }
    return text;
  }

  std::shared_ptr<const Gguf> file_;
};

}  // namespace

Result<std::shared_ptr<const engine::LanguageModel>> load_language_model(const LlamaOptions& options) {
  auto file = Gguf::load(options);
  if (!file) return file.error();
  return std::shared_ptr<const engine::LanguageModel>(std::make_shared<LlamaLanguageModel>(*std::move(file)));
}

}  // namespace inferwire::inline v0_1::llama
