/// \file
/// Makes the prompt matter: raises the probability of its own words (after Kuhn and De Mori 1990).
#pragma once

#include "engine/model/tokenizer.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The content words of a prompt as a tree of tokens. Immutable, safe from any thread.
///
/// Where a new word may begin, the words of the prompt become more likely in proportion to how well they fit
/// there anyway. Inside such a word its next token becomes likely outright, so that names which the n-gram
/// model has never seen are spelt to their end.
class PromptCache {
 public:
  /// A place in the tree; 0, the root, is "not inside a word of the prompt".
  using Place = std::uint32_t;

  PromptCache(const Tokenizer& tokenizer, std::span<const Token> prompt);

  /// The place after `token` was appended at `place`.
  Place advance(Place place, Token token) const;

  /// P = (1 - share) * P + share * cache, in place; what summed to 1 still does.
  void mix(Place place, std::span<float> probabilities) const;

 private:
  struct Node {
    Token token = 0;
    float weight = 0;  ///< occurrences of words that pass here
    Place first_child = 0;
    Place next_sibling = 0;
  };

  void add_words(const Tokenizer& tokenizer, std::string_view text, float weight);
  void add_word(const Tokenizer& tokenizer, std::string word, float weight);
  Place child(Place parent, Token token) const;
  void mix_beginnings(std::span<float> probabilities) const;
  void mix_continuations(const Node& word, std::span<float> probabilities) const;

  std::vector<Node> nodes_{Node{}};
};

}  // namespace inferwire::inline v0_1::engine
