/// \file
/// A model's tokens as constrained decoding sees them: what they spell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/constraint/cost.hpp"
#include "inferwire/engine/language_model.hpp"

namespace inferwire::inline v0_1::engine {

/// Texts by their beginnings.
class Trie {
 public:
  struct Node {
    std::uint32_t first_child{};
    std::uint32_t children{};
    Token token{-1};  ///< the token that ends here; -1: none
    std::uint8_t byte{};
  };

  /// `spellings` are tokens and what they spell, never nothing.
  Trie() = default;
  explicit Trie(std::vector<std::pair<std::string_view, Token>> spellings);

  const Node& root() const noexcept { return nodes_.front(); }
  std::span<const Node> children(const Node& node) const noexcept {
    return {nodes_.data() + node.first_child, node.children};
  }

 private:
  std::vector<Node> nodes_{1};
};

/// Immutable, safe from any thread. Of several tokens that spell the same the first counts.
class Vocabulary {
 public:
  explicit Vocabulary(const LanguageModel& model);

  std::size_t size() const noexcept { return plain_.size(); }
  const Trie& all() const noexcept { return all_; }
  /// Those that are not plain.
  const Trie& others() const noexcept { return others_; }
  /// For each token 1 if it is plain: it spells whole characters that stand for themselves in a JSON string,
  /// no more than `most_characters`.
  std::span<const std::uint8_t> plain() const noexcept { return plain_; }
  /// How many characters each plain token has.
  std::span<const std::uint8_t> characters() const noexcept { return characters_; }
  /// The most that a plain token has: there is one of every length up to it. At least 1.
  unsigned most_characters() const noexcept { return most_characters_; }
  /// The fewest plain tokens of exactly `characters` characters together.
  Cost plain_tokens(std::uint32_t characters) const noexcept {
    return characters / most_characters_ + (characters % most_characters_ != 0 ? 1U : 0U);
  }
  std::span<const Token> ends() const noexcept { return ends_; }
  std::string_view spelling(Token token) const noexcept {
    return spellings_[static_cast<std::size_t>(token)];
  }

  /// For every place in `text` the fewest tokens that spell what follows; 0 at its end.
  std::vector<Cost> tokens_left(std::string_view text) const;

 private:
  void find_plain();
  Trie trie(bool plain_too) const;

  std::vector<std::string> spellings_;
  std::vector<std::uint8_t> plain_;
  std::vector<std::uint8_t> characters_;
  std::vector<Token> ends_;
  Trie all_;
  Trie others_;
  unsigned most_characters_{1};
};

/// The vocabulary of a model, made with the first call for it. May be called from any thread.
std::shared_ptr<const Vocabulary> vocabulary_of(const std::shared_ptr<const LanguageModel>& model);

}  // namespace inferwire::inline v0_1::engine
