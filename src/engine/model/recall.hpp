/// \file
/// Recalls whole phrases: finds the longest end of the text that occurs in the corpus, and what follows it.
#pragma once

#include "engine/model/voice.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// An n-gram model without a fixed n, on a suffix array (after Liu et al. 2024, "Infini-gram"). Four tokens
/// are only a word and a half; coherent sentences need more. Immutable, safe from any thread.
class Recall {
 public:
  /// How many tokens are compared at most.
  static constexpr std::size_t longest = 24;

  Recall(std::vector<Token> corpus, Voice::Markers markers);

  /// P = (1 - share) * P + share * recall, in place. Does nothing if only a short piece is known.
  void mix(std::span<const Token> recent, std::span<float> probabilities) const;

 private:
  /// The token `back` places before `place`; -1 before the beginning of the corpus.
  Token before(std::uint32_t place, std::size_t back) const noexcept {
    return back <= place ? corpus_[place - back] : -1;
  }

  std::vector<Token> corpus_;
  std::vector<std::uint32_t>
      places_;  ///< places of predicted tokens, sorted by the tokens before them, newest first
};

}  // namespace inferwire::inline v0_1::engine
