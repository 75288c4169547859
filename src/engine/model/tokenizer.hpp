/// \file
/// The bundled model's vocabulary: byte-pair encoding and the special tokens of its chat template.
#pragma once

#include "engine/model/bpe.hpp"
#include "inferwire/engine/language_model.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// The special tokens, in the order of their numbers, which follow those of the byte-pair encoding. `end`
/// comes first because it alone is predicted; the others only open a turn.
enum class Special { end, system, user, assistant, tool };

inline constexpr std::array<std::string_view, 5> special_spellings{"<|end|>", "<|system|>", "<|user|>",
                                                                   "<|assistant|>", "<|tool|>"};

/// Immutable, safe from any thread.
class Tokenizer {
 public:
  /// `vocabulary_size` is an upper limit: small texts yield fewer merges.
  static Tokenizer learn(std::span<const std::string_view> texts, int vocabulary_size);

  explicit Tokenizer(Bpe bpe) : bpe_{std::move(bpe)} {}

  int size() const noexcept { return bpe_.size() + static_cast<int>(special_spellings.size()); }
  Token token(Special special) const noexcept { return bpe_.size() + static_cast<Token>(special); }
  bool is_special(Token token) const noexcept { return token >= bpe_.size(); }

  /// Empty for special tokens and for numbers outside the vocabulary.
  std::string_view bytes(Token token) const {
    return token >= 0 && token < bpe_.size() ? bpe_.bytes(token) : std::string_view{};
  }

  std::vector<Token> encode(std::string_view text, bool parse_special) const;

 private:
  Bpe bpe_;
};

/// The first special token spelt in a text, and its position.
struct SpecialMatch {
  std::size_t position;
  Special special;
};

/// Finds the first spelling of a special token; position npos if there is none.
SpecialMatch find_special(std::string_view text);

constexpr std::string_view spelling(Special special) noexcept {
  return special_spellings[static_cast<std::size_t>(special)];
}

}  // namespace inferwire::inline v0_1::engine
