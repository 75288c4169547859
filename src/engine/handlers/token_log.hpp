/// \file
/// The logprobs of completions: one entry per token, with its offset in the text.
#pragma once

#include "engine/model/sampler.hpp"
#include "inferwire/completions.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A token of a prompt and the model's prediction of it; none for the first one.
struct PromptToken {
  Token token{};
  std::optional<Sample> sample{};
};

/// Reads a prompt again, one token at a time, to determine how likely each of its tokens was.
class PromptScorer {
 public:
  PromptScorer(const LanguageModel& model, std::span<const Token> prompt, int top);

  bool finished() const noexcept { return tokens_.size() == prompt_.size(); }
  void step();
  /// All tokens, once finished.
  const std::vector<PromptToken>& tokens() const noexcept { return tokens_; }

 private:
  const LanguageModel& model_;
  std::span<const Token> prompt_;
  int top_;
  std::unique_ptr<LanguageModel::State> state_;
  std::vector<float> log_probs_;
  std::vector<PromptToken> tokens_;
};

/// Writes the log of one completion.
class TokenLog {
 public:
  explicit TokenLog(const LanguageModel& model) : model_(&model) {}

  void add(completions::Logprobs& log, Token token, const std::optional<Sample>& sample);

 private:
  const LanguageModel* model_;
  std::int64_t offset_{};  ///< characters before the next token
};

}  // namespace inferwire::inline v0_1::engine
