/// \file
/// The choices of an answer: which one is next.
#pragma once

#include "base/immortal.hpp"
#include "engine/answer/choice.hpp"
#include "engine/model/generator.hpp"
#include "engine/model/random.hpp"
#include "inferwire/finish.hpp"
#include "inferwire/usage.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The wire value for why a generation finished.
inline FinishReason to_wire(GenerationEnd reason) {
  return reason == GenerationEnd::length ? FinishReason::length : FinishReason::stop;
}

/// The parts of an answer that is only text.
inline std::span<const Part> text_alone() {
  static const Immortal<Part> part;
  return {&part.value, 1};
}

/// The choices of one request, which take turns. Each prompt is read once, and its choice i is seeded with
/// `mix(seed, i)`: the first is the same for every `n`.
class Choices {
 public:
  struct Turn : Choice::Turn {
    std::size_t index{};                    ///< the number of the choice
    std::optional<GenerationEnd> finish{};  ///< set in the choice's last turn
  };

  /// `n` choices for a prompt. `parts` must outlive the choices.
  Choices(const std::shared_ptr<const LanguageModel>& model, std::span<const Token> prompt,
          const GenerationOptions& options, int n, std::span<const Part> parts) {
    add(model, prompt, options, n, parts);
  }

  /// `n` texts for each prompt, of at most `most_tokens[p]` tokens for prompt p; its text k has the index
  /// p * n + k. Every prompt is answered as it would be alone.
  Choices(const std::shared_ptr<const LanguageModel>& model, std::span<const std::vector<Token>> prompts,
          std::span<const int> most_tokens, GenerationOptions options, int n) {
    for (std::size_t p = 0; p < prompts.size(); ++p) {
      options.max_tokens = most_tokens[p];
      add(model, prompts[p], options, n, text_alone());
    }
  }

  bool finished() const noexcept { return finished_ == choices_.size(); }
  std::size_t size() const noexcept { return choices_.size(); }

  /// The next token of the choice whose turn it is; must not be called when all have finished.
  Turn next() { return taken(unfinished().next()); }

  /// Cuts the next choice that has not finished; must not be called when all have finished.
  Turn cut() { return taken(unfinished().cut()); }

  /// Each prompt is counted once. Reasoning tokens, if any, are also counted separately.
  Usage usage() const {
    std::int64_t completion = 0, reasoning = 0;
    for (const auto& choice : choices_) {
      completion += choice.completion_tokens();
      reasoning += choice.reasoning_tokens();
    }
    Usage usage{.prompt_tokens = prompt_tokens_,
                .completion_tokens = completion,
                .total_tokens = prompt_tokens_ + completion};
    if (reasoning > 0) {
      usage.reasoning_tokens = reasoning;
      usage.completion_tokens_details = CompletionTokensDetails{.reasoning_tokens = reasoning};
    }
    return usage;
  }

 private:
  void add(const std::shared_ptr<const LanguageModel>& model, std::span<const Token> prompt,
           const GenerationOptions& options, int n, std::span<const Part> parts) {
    const auto state = model->start(prompt);
    for (int index = 0; index < n; ++index) {
      auto own = options;
      own.sampling.seed = mix(options.sampling.seed, static_cast<std::uint64_t>(index));
      choices_.emplace_back(model, state->clone(), static_cast<int>(prompt.size()), std::move(own), parts);
    }
    prompt_tokens_ += static_cast<std::int64_t>(prompt.size());
  }
  /// The choice whose turn it is.
  Choice& unfinished() {
    while (choices_[turn_].finish_reason()) advance();
    return choices_[turn_];
  }
  /// Passes the turn on after that choice has taken it.
  Turn taken(Choice::Turn turn) {
    Turn whole{std::move(turn), turn_, choices_[turn_].finish_reason()};
    if (whole.finish) ++finished_;
    advance();
    return whole;
  }
  void advance() { turn_ = (turn_ + 1) % choices_.size(); }

  std::vector<Choice> choices_;
  std::int64_t prompt_tokens_{};
  std::size_t turn_{};
  std::size_t finished_{};
};

}  // namespace inferwire::inline v0_1::engine
