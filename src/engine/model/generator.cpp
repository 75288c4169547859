#include "engine/model/generator.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace inferwire::inline v0_1::engine {

Generator::Generator(std::shared_ptr<const LanguageModel> model, std::span<const Token> prompt,
                     GenerationOptions options)
    : Generator{model, model->start(prompt), static_cast<int>(prompt.size()), std::move(options)} {}

Generator::Generator(std::shared_ptr<const LanguageModel> model, std::unique_ptr<LanguageModel::State> state,
                     int prompt_tokens, GenerationOptions options)
    : model_{std::move(model)},
      state_{std::move(state)},
      sampler_{std::move(options.sampling), model_->vocabulary_size()},
      stop_filter_{std::move(options.stop)},
      log_probs_(static_cast<std::size_t>(model_->vocabulary_size())),
      prompt_tokens_{prompt_tokens},
      most_tokens_{std::min(options.max_tokens.value_or(std::numeric_limits<int>::max()),
                            model_->context_window() - prompt_tokens)} {
  if (most_tokens_ <= 0) finish_reason_ = FinishReason::length;
}

std::optional<Piece> Generator::next() {
  if (finish_reason_) return std::nullopt;
  model_->log_probs(*state_, log_probs_);
  std::optional<Sample> sample = sampler_.next(log_probs_);
  if (!sample || model_->is_end(sample->token)) return finish(FinishReason::stop);

  ++completion_tokens_;
  model_->advance(*state_, sample->token);
  auto [text, stopped] = stop_filter_.feed(model_->token_bytes(sample->token));
  if (stopped) {
    finish_reason_ = FinishReason::stop_string;
  } else if (completion_tokens_ == most_tokens_) {
    if (std::optional<Piece> rest = finish(FinishReason::length)) text += rest->text;
  }
  return Piece{std::move(text), std::move(sample)};
}

std::optional<Piece> Generator::finish(FinishReason reason) {
  auto [text, stopped] = stop_filter_.flush();
  finish_reason_ = stopped ? FinishReason::stop_string : reason;
  if (text.empty()) return std::nullopt;
  return Piece{std::move(text), std::nullopt};
}

std::vector<Generator> start_choices(const std::shared_ptr<const LanguageModel>& model,
                                     std::span<const Token> prompt, const GenerationOptions& options, int n) {
  std::vector<Generator> choices;
  choices.reserve(static_cast<std::size_t>(std::max(n, 0)));
  const std::unique_ptr<LanguageModel::State> state = model->start(prompt);
  for (int index = 0; index < n; ++index) {
    GenerationOptions own = options;
    own.sampling.seed = mix(options.sampling.seed, static_cast<std::uint64_t>(index));
    choices.emplace_back(model, state->clone(), static_cast<int>(prompt.size()), std::move(own));
  }
  return choices;
}

}  // namespace inferwire::inline v0_1::engine
