#include "engine/model/bpe.hpp"

#include "engine/model/text.hpp"

#include <cstddef>

namespace inferwire::inline v0_1::engine {

Bpe::Bpe(std::span<const Merge> merges) : joined_{merges.size()} {
  pieces_.reserve(256 + merges.size());
  for (int byte = 0; byte < 256; ++byte) pieces_.emplace_back(1, static_cast<char>(byte));
  for (const Merge& merge : merges) {
    joined_.find_or_insert(pair_key(merge.left, merge.right), static_cast<std::uint32_t>(pieces_.size()));
    pieces_.push_back(std::string{bytes(merge.left)}.append(bytes(merge.right)));
  }
}

void Bpe::encode(std::string_view text, std::vector<Token>& tokens) const {
  while (!text.empty()) {
    const std::size_t length = word_length(text);
    encode_word(text.substr(0, length), tokens);
    text.remove_prefix(length);
  }
}

void Bpe::encode_word(std::string_view word, std::vector<Token>& tokens) const {
  const std::size_t first = tokens.size();
  for (const char byte : word) tokens.push_back(static_cast<unsigned char>(byte));

  // Merges are numbered in order of precedence, so the lowest joined token goes first.
  for (;;) {
    std::uint32_t best = FlatIndex::none;
    std::size_t best_at = first;
    for (std::size_t at = first; at + 1 < tokens.size(); ++at) {
      const std::uint32_t joined = joined_.find(pair_key(tokens[at], tokens[at + 1]));
      if (joined < best) {
        best = joined;
        best_at = at;
      }
    }
    if (best == FlatIndex::none) return;
    tokens[best_at] = static_cast<Token>(best);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
  }
}

}  // namespace inferwire::inline v0_1::engine
