/// \file
/// Biases the model towards answers to similar questions.
#pragma once

#include "inferwire/engine/language_model.hpp"

#include <span>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Answers to questions similar to the one that was asked. Immutable, safe from any thread.
class Examples {
 public:
  /// An answer with its markers, from `<|assistant|>` to `<|end|>`.
  struct Example {
    std::span<const Token> answer;  ///< lives as long as the Retrieval that found it
    float likeness;                 ///< how similar the questions are, up to 1
  };

  Examples() = default;
  explicit Examples(std::vector<Example> examples) : examples_{std::move(examples)} {}

  /// P = (1 - share) * P + share * Q, in place. Q are the tokens that follow, in the examples, the last
  /// tokens of the text. Does nothing if these occur in no example.
  void mix(std::span<const Token> recent, std::span<float> probabilities) const;

  std::span<const Example> all() const& noexcept { return examples_; }
  std::span<const Example> all() && = delete;  // the span would dangle

 private:
  template <class Visit>
  void each_continuation(std::span<const Token> recent, Visit visit) const;

  std::vector<Example> examples_{};
};

}  // namespace inferwire::inline v0_1::engine
