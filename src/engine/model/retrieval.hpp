/// \file
/// Finds what the corpus answers to questions like the prompt's.
#pragma once

#include "engine/model/examples.hpp"
#include "engine/model/tokenizer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The questions of the corpus by their words. An n-gram model has forgotten the question when the answer
/// begins; the answers to similar ones keep it to its subject (after Khandelwal et al. 2020, "Generalization
/// through Memorization"). Immutable, safe from any thread.
class Retrieval {
 public:
  /// Learns the dialogues of `corpus` whose answers are prose: calls of tools and JSON are no example to a
  /// chat that did not ask for them.
  Retrieval(const Tokenizer& tokenizer, std::span<const Token> corpus);

  /// Those whose questions are most like the last one of `prompt`, under the same instructions.
  Examples find(const Tokenizer& tokenizer, std::span<const Token> prompt) const;

 private:
  struct Dialogue {
    std::size_t begin;     ///< the begin of the answer in `answers_`
    std::size_t end;       ///< one past it
    float importance = 0;  ///< the importance of all the words of its question
  };

  std::vector<Token> answers_;
  std::vector<Dialogue> dialogues_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> questions_;  ///< in which a word stands
};

}  // namespace inferwire::inline v0_1::engine
