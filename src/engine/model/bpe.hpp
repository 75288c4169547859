/// \file
/// Byte-pair encoding: turns bytes into tokens and back.
#pragma once

#include "engine/model/flat_index.hpp"
#include "inferwire/engine/language_model.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// A vocabulary of the 256 bytes and of pieces that join two earlier tokens (Sennrich et al. 2016,
/// on bytes as in GPT-2). Since every byte is a token, every text can be encoded.
class Bpe {
 public:
  /// Two tokens that become one.
  struct Merge {
    Token left;
    Token right;
  };

  /// The merges in order of precedence; the i-th makes token 256 + i.
  explicit Bpe(std::span<const Merge> merges);

  int size() const noexcept { return static_cast<int>(pieces_.size()); }

  /// The bytes of `token`, 0 <= token < size().
  std::string_view bytes(Token token) const { return pieces_[static_cast<std::size_t>(token)]; }

  /// Appends the tokens of `text`. Time is linear in the text.
  void encode(std::string_view text, std::vector<Token>& tokens) const;

 private:
  void encode_word(std::string_view word, std::vector<Token>& tokens) const;

  std::vector<std::string> pieces_;
  FlatIndex joined_;  // pair_key(left, right) -> the token that joins them
};

/// Learns up to `count` merges from `texts`: each merges the pair that is most frequent inside words, or
/// of equally frequent pairs the one with the lowest numbers. Stops early if no pair occurs twice.
std::vector<Bpe::Merge> learn_merges(std::span<const std::string_view> texts, int count);

/// Combines two tokens into one number.
constexpr std::uint64_t pair_key(Token left, Token right) noexcept {
  return static_cast<std::uint64_t>(left) << 32U | static_cast<std::uint32_t>(right);
}

}  // namespace inferwire::inline v0_1::engine
