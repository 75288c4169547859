#include "engine/model/generator.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// Turns bans into strong biases: under a grammar, bans might leave no token to choose.
SamplingOptions softened(SamplingOptions sampling) {
  constexpr float dislike = -99;
  for (auto& [token, bias] : sampling.logit_bias) bias = std::max(bias, dislike);
  return sampling;
}

}  // namespace

Generator::Generator(std::shared_ptr<const LanguageModel> model, std::span<const Token> prompt,
                     GenerationOptions options)
    : Generator{model, model->start(prompt), static_cast<int>(prompt.size()), std::move(options)} {}

Generator::Generator(std::shared_ptr<const LanguageModel> model, std::unique_ptr<LanguageModel::State> state,
                     int prompt_tokens, GenerationOptions options)
    : model_{std::move(model)},
      state_{std::move(state)},
      sampler_{options.grammar ? softened(std::move(options.sampling)) : std::move(options.sampling),
               model_->vocabulary_size()},
      stop_filter_{options.grammar ? nullptr : options.stop},
      log_probs_(static_cast<std::size_t>(model_->vocabulary_size())),
      most_tokens_{std::min(options.max_tokens.value_or(std::numeric_limits<int>::max()),
                            model_->context_window() - prompt_tokens)} {
  if (most_tokens_ <= 0) finish_reason_ = GenerationEnd::length;
  if (options.grammar) constraint_.emplace(std::move(options.grammar), most_tokens_, options.fills_lists);
}

std::optional<Sample> Generator::sample() {
  model_->log_probs(*state_, log_probs_);
  if (!constraint_) return sampler_.next(log_probs_);
  return sampler_.next(log_probs_, constraint_->allowed());
}

std::optional<GenerationEnd> Generator::reason_to_finish() const {
  const bool used_up = completion_tokens_ == most_tokens_;
  if (constraint_ && (constraint_->has_to_end() || (used_up && constraint_->may_end()))) {
    return GenerationEnd::stop;
  }
  return used_up ? std::optional(GenerationEnd::length) : std::nullopt;
}

std::optional<Piece> Generator::next() {
  if (finish_reason_) return std::nullopt;
  std::optional<Sample> chosen = sample();
  if (!chosen || model_->is_end(chosen->token)) return finish(GenerationEnd::stop);

  ++completion_tokens_;
  model_->advance(*state_, chosen->token);
  if (constraint_) constraint_->advance(chosen->token);
  auto [text, stopped] = stop_filter_.feed(model_->token_bytes(chosen->token));
  if (stopped) {
    finish_reason_ = GenerationEnd::stop_string;
  } else if (const auto reason = reason_to_finish()) {
    if (std::optional<Piece> rest = finish(*reason)) text += rest->text;
  }
  return Piece{std::move(text), std::move(chosen)};
}

Piece Generator::cut() { return finish(GenerationEnd::length).value_or(Piece()); }

std::optional<Piece> Generator::finish(GenerationEnd reason) {
  auto [text, stopped] = stop_filter_.flush();
  finish_reason_ = stopped ? GenerationEnd::stop_string : reason;
  if (text.empty()) return std::nullopt;
  return Piece{std::move(text), std::nullopt};
}

}  // namespace inferwire::inline v0_1::engine
