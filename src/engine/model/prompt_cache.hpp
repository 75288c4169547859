/// \file
/// Makes the words of the prompt more likely (after Kuhn and De Mori 1990).
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
/// At the beginning of a word, the words of the prompt become more likely in proportion to their probability
/// there. Inside such a word, its next token becomes likely in any case, so that names unknown to the n-gram
/// model are spelt out to the end.
class PromptCache {
 public:
  /// A place in the tree; 0, the root, means "not inside a word of the prompt".
  using Place = std::uint32_t;

  PromptCache(const Tokenizer& tokenizer, std::span<const Token> prompt);

  /// The place after `token` was appended at `place`.
  Place advance(Place place, Token token) const;

  /// P = (1 - share) * P + share * cache, in place; the sum stays 1.
  void mix(Place place, std::span<float> probabilities) const;

 private:
  struct Node {
    Token token = 0;
    float weight = 0;  ///< weighted occurrences of the words through this node
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
