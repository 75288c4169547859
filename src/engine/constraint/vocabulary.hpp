/// \file
/// A model's tokens for constrained decoding: what they spell.
#pragma once

#include "engine/constraint/cost.hpp"
#include "inferwire/engine/language_model.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Texts in a prefix tree.
class Trie {
 public:
  struct Node {
    std::uint32_t first_child{};
    std::uint32_t children{};
    Token token{-1};  ///< the token that ends here; -1: none
    std::uint8_t byte{};
  };

  Trie() = default;
  /// `spellings` are tokens and what they spell, which is never empty.
  explicit Trie(std::vector<std::pair<std::string_view, Token>> spellings);

  const Node& root() const noexcept { return nodes_.front(); }
  std::span<const Node> children(const Node& node) const noexcept {
    return {nodes_.data() + node.first_child, node.children};
  }

 private:
  std::vector<Node> nodes_{1};
};

/// Immutable, safe from any thread. If several tokens spell the same text, the first counts.
class Vocabulary {
 public:
  explicit Vocabulary(const LanguageModel& model);

  std::size_t size() const noexcept { return plain_.size(); }
  const Trie& all() const noexcept { return all_; }
  /// The tokens that are not plain.
  const Trie& others() const noexcept { return others_; }
  /// For each token 1 if it is plain: it spells at most `most_characters` complete characters, none of which
  /// has to be escaped in a JSON string.
  std::span<const std::uint8_t> plain() const noexcept { return plain_; }
  /// How many characters each plain token has.
  std::span<const std::uint8_t> characters() const noexcept { return characters_; }
  /// The most characters of a plain token; there is a plain token of every length up to it. At least 1.
  unsigned most_characters() const noexcept { return most_characters_; }
  /// The fewest plain tokens that have exactly `characters` characters together.
  Cost plain_tokens(std::uint32_t characters) const noexcept {
    return characters / most_characters_ + (characters % most_characters_ != 0 ? 1U : 0U);
  }
  std::span<const Token> ends() const noexcept { return ends_; }
  std::string_view spelling(Token token) const noexcept {
    return spellings_[static_cast<std::size_t>(token)];
  }

  /// For every position in `text`, the fewest tokens that spell the rest; 0 at its end.
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

/// The vocabulary of a model: the same for all calls, made by the first one, or by each of those that come
/// meanwhile. May be called from any thread.
std::shared_ptr<const Vocabulary> vocabulary_of(const std::shared_ptr<const LanguageModel>& model);

}  // namespace inferwire::inline v0_1::engine
