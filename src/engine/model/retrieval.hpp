/// \file
/// Finds the answers of the corpus to questions similar to the prompt's.
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

/// An index of the corpus' questions by their words. An n-gram model has forgotten the question when the
/// answer begins; answers to similar questions keep it to the subject (after Khandelwal et al. 2020,
/// "Generalization through Memorization"). Immutable, safe from any thread.
class Retrieval {
 public:
  /// Learns the dialogues of `corpus` whose answers are prose: tool calls and JSON are bad examples for chats
  /// that did not ask for them.
  Retrieval(const Tokenizer& tokenizer, std::span<const Token> corpus);

  /// The answers whose questions, with their instructions, are most similar to the last one of `prompt`.
  Examples find(const Tokenizer& tokenizer, std::span<const Token> prompt) const;

 private:
  struct Dialogue {
    std::size_t begin;     ///< the beginning of the answer in `answers_`
    std::size_t end;       ///< one past its end
    float importance = 0;  ///< the sum over the words of its question
  };

  std::vector<Token> answers_;
  std::vector<Dialogue> dialogues_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> questions_;  ///< those that contain a word
};

}  // namespace inferwire::inline v0_1::engine
