/// \file
/// Leans on answers that were given to similar questions.
#pragma once

#include "inferwire/engine/language_model.hpp"

#include <span>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Answers to questions like the one that was asked, to lean on. Immutable, safe from any thread.
class Examples {
 public:
  /// An answer with its markers, from `<|assistant|>` to `<|end|>`.
  struct Example {
    std::span<const Token> answer;  ///< lives as long as the Retrieval that found it
    float likeness;                 ///< how alike the questions are, up to 1
  };

  Examples() = default;
  explicit Examples(std::vector<Example> examples) : examples_{std::move(examples)} {}

  /// P = (1 - share) * P + share * what follows in the examples where they read as the end of the text so
  /// far, in place. Nothing happens where that stands in none of them.
  void mix(std::span<const Token> recent, std::span<float> probabilities) const;

  std::span<const Example> all() const& noexcept { return examples_; }
  std::span<const Example> all() && = delete;  // they would be gone

 private:
  template <class Visit>
  void each_continuation(std::span<const Token> recent, Visit visit) const;

  std::vector<Example> examples_{};
};

}  // namespace inferwire::inline v0_1::engine
