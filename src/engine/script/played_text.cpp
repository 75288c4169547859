#include "engine/script/played_text.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The log probability of an impossible token, finite as the interface requires.
constexpr float never = -1e4F;

class PlayedText final : public LanguageModel {
 public:
  PlayedText(std::shared_ptr<const LanguageModel> model, std::string_view text)
      : model_(std::move(model)), script_(model_->tokenize(text, false)) {
    Token end = 0;
    while (end + 1 < model_->vocabulary_size() && !model_->is_end(end)) ++end;
    script_.push_back(end);
  }

  std::string_view id() const override { return model_->id(); }
  int vocabulary_size() const override { return model_->vocabulary_size(); }
  int context_window() const override { return model_->context_window(); }
  std::vector<Token> tokenize(std::string_view utf8, bool parse_special) const override {
    return model_->tokenize(utf8, parse_special);
  }
  std::string_view token_bytes(Token token) const override { return model_->token_bytes(token); }
  bool is_end(Token token) const override { return model_->is_end(token); }
  std::string render(std::span<const ChatTurn> turns) const override { return model_->render(turns); }
  std::unique_ptr<State> start(std::span<const Token>) const override { return std::make_unique<Place>(); }
  void advance(State& state, Token) const override { ++static_cast<Place&>(state).said; }
  void log_probs(const State& state, std::span<float> out) const override {
    std::ranges::fill(out, never);
    const auto next = std::min(static_cast<const Place&>(state).said, script_.size() - 1);
    out[static_cast<std::size_t>(script_[next])] = 0;
  }

 private:
  struct Place final : State {
    std::unique_ptr<State> clone() const override {
      auto copy = std::make_unique<Place>();
      copy->said = said;
      return copy;
    }
    std::size_t said{};
  };

  std::shared_ptr<const LanguageModel> model_;
  std::vector<Token> script_;  // the end included
};

class PlayedRow final : public EmbeddingModel {
 public:
  PlayedRow(std::shared_ptr<const EmbeddingModel> model, std::vector<float> row)
      : model_(std::move(model)), row_(std::move(row)) {}

  std::string_view id() const override { return model_->id(); }
  int dimensions() const override { return static_cast<int>(row_.size()); }
  int context_window() const override { return model_->context_window(); }
  int vocabulary_size() const override { return model_->vocabulary_size(); }
  int count_tokens(std::string_view utf8) const override { return model_->count_tokens(utf8); }
  std::string text_of(std::span<const std::int32_t> tokens) const override { return model_->text_of(tokens); }
  void embed(std::string_view, std::string_view, std::span<float> out) const override {
    std::copy_n(row_.begin(), std::min(out.size(), row_.size()), out.begin());
  }

 private:
  std::shared_ptr<const EmbeddingModel> model_;
  std::vector<float> row_;
};

}  // namespace

std::shared_ptr<const LanguageModel> play_text(std::shared_ptr<const LanguageModel> model,
                                               std::string_view text) {
  return std::make_shared<PlayedText>(std::move(model), text);
}

std::shared_ptr<const EmbeddingModel> play_row(std::shared_ptr<const EmbeddingModel> model,
                                               std::vector<float> row) {
  return std::make_shared<PlayedRow>(std::move(model), std::move(row));
}

}  // namespace inferwire::inline v0_1::engine
