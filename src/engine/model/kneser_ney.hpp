/// \file
/// The n-gram model: how likely each token is after the last three.
#pragma once

#include "engine/model/voice.hpp"
#include "inferwire/engine/language_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Interpolated modified Kneser-Ney (Chen and Goodman 1998): every order discounts its counts and leaves the
/// rest to the next lower order, which counts in how many different contexts a token appeared instead of how
/// often. Order 4: a longer context did not help on texts of this size.
class KneserNey {
 public:
  static constexpr int order = 4;

  /// The text to learn from.
  struct Text {
    std::span<const Token> tokens;  ///< documents, each closed by `document_end`
    Voice::Markers markers;         ///< `document_end` is also the context in which a document begins
    int vocabulary_size;            ///< at most 65,535
  };

  explicit KneserNey(const Text& text);

  /// Probabilities of every token after the last three tokens of `context`. They sum to 1.
  void probabilities(std::span<const Token> context, std::span<float> out) const;

 private:
  static constexpr std::size_t longest_context = order - 1;

  /// A token seen after a context, with its discounted share.
  struct Continuation {
    std::uint16_t token;
    float share;
  };
  /// The contexts of one length. Elements at the same index belong together.
  struct Level {
    std::vector<std::uint64_t> contexts;  ///< packed and sorted
    std::vector<std::uint32_t> begins;    ///< first continuation of each context, and one past the last
    std::vector<float> backoffs;          ///< the share that is left to the next shorter context
    std::vector<Continuation> continuations;
  };

  std::vector<float> alone_;  ///< probability of each token without any context
  std::array<Level, longest_context> levels_;
};

}  // namespace inferwire::inline v0_1::engine
