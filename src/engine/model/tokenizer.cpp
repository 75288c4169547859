#include "engine/model/tokenizer.hpp"

namespace inferwire::inline v0_1::engine {

Tokenizer Tokenizer::learn(std::span<const std::string_view> texts, int vocabulary_size) {
  const int merges = vocabulary_size - 256 - static_cast<int>(special_spellings.size());
  return Tokenizer{Bpe{learn_merges(texts, merges)}};
}

std::vector<Token> Tokenizer::encode(std::string_view text, bool parse_special) const {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 2);
  while (parse_special) {
    const SpecialMatch match = find_special(text);
    if (match.position == std::string_view::npos) break;
    bpe_.encode(text.substr(0, match.position), tokens);
    tokens.push_back(token(match.special));
    text.remove_prefix(match.position + spelling(match.special).size());
  }
  bpe_.encode(text, tokens);
  return tokens;
}

SpecialMatch find_special(std::string_view text) {
  for (std::size_t at = text.find("<|"); at != std::string_view::npos; at = text.find("<|", at + 1)) {
    for (std::size_t i = 0; i < special_spellings.size(); ++i) {
      if (text.substr(at).starts_with(special_spellings[i])) return {at, static_cast<Special>(i)};
    }
  }
  return {std::string_view::npos, Special::end};
}

}  // namespace inferwire::inline v0_1::engine
