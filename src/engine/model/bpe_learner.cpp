// Learns the merges of a byte-pair encoding.
#include "engine/model/bpe.hpp"
#include "engine/model/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace inferwire::inline v0_1::engine {
namespace {

/// A distinct word of the text, in the tokens made so far.
struct Word {
  std::vector<Token> tokens;
  std::int64_t occurrences;
};

/// Every pair of neighbouring tokens, how often it occurs, and in which words it was ever seen.
class PairCounts {
 public:
  void add(Token left, Token right, std::int64_t occurrences, std::size_t word) {
    const std::uint32_t pair = number_of(left, right);
    counts_[pair] += occurrences;
    if (words_[pair].empty() || words_[pair].back() != word) words_[pair].push_back(word);
  }

  void remove(Token left, Token right, std::int64_t occurrences) {
    counts_[number_of(left, right)] -= occurrences;
  }

  /// Number of the most frequent pair; of several, of the one with the lowest tokens. A linear scan over
  /// plain integers: a heap would have to be repaired after every merge and was no faster.
  std::uint32_t most_frequent() const {
    std::size_t best = 0;
    for (std::size_t pair = 1; pair < counts_.size(); ++pair) {
      if (counts_[pair] < counts_[best]) continue;
      if (counts_[pair] > counts_[best] || keys_[pair] < keys_[best]) best = pair;
    }
    return static_cast<std::uint32_t>(best);
  }

  bool empty() const { return counts_.empty(); }
  std::int64_t count(std::uint32_t pair) const { return counts_[pair]; }
  Bpe::Merge tokens(std::uint32_t pair) const {
    return {static_cast<Token>(keys_[pair] >> 32U), static_cast<Token>(keys_[pair] & UINT32_MAX)};
  }
  /// Words that have or had the pair; a word may be listed more than once.
  std::vector<std::size_t> take_words(std::uint32_t pair) { return std::move(words_[pair]); }

 private:
  std::uint32_t number_of(Token left, Token right) {
    const std::uint64_t key = pair_key(left, right);
    const std::uint32_t next = static_cast<std::uint32_t>(keys_.size());
    const std::uint32_t pair = numbers_.find_or_insert(key, next);
    if (pair == next) {
      keys_.push_back(key);
      counts_.push_back(0);
      words_.emplace_back();
    }
    return pair;
  }

  FlatIndex numbers_{4096};
  std::vector<std::uint64_t> keys_;
  std::vector<std::int64_t> counts_;
  std::vector<std::vector<std::size_t>> words_;
};

std::vector<Word> distinct_words(std::span<const std::string_view> texts) {
  std::map<std::string_view, std::int64_t> occurrences;
  for (std::string_view text : texts) {
    while (!text.empty()) {
      const std::size_t length = word_length(text);
      ++occurrences[text.substr(0, length)];
      text.remove_prefix(length);
    }
  }
  std::vector<Word> words;
  words.reserve(occurrences.size());
  for (const auto& [bytes, count] : occurrences) {
    Word word{{}, count};
    for (const char byte : bytes) word.tokens.push_back(static_cast<unsigned char>(byte));
    words.push_back(std::move(word));
  }
  return words;
}

void count_pairs(const Word& word, std::size_t number, PairCounts& pairs) {
  for (std::size_t at = 0; at + 1 < word.tokens.size(); ++at) {
    pairs.add(word.tokens[at], word.tokens[at + 1], word.occurrences, number);
  }
}

void uncount_pairs(const Word& word, PairCounts& pairs) {
  for (std::size_t at = 0; at + 1 < word.tokens.size(); ++at) {
    pairs.remove(word.tokens[at], word.tokens[at + 1], word.occurrences);
  }
}

bool contains(const Word& word, Bpe::Merge merge) {
  for (std::size_t at = 0; at + 1 < word.tokens.size(); ++at) {
    if (word.tokens[at] == merge.left && word.tokens[at + 1] == merge.right) return true;
  }
  return false;
}

void apply(Bpe::Merge merge, Token joined, Word& word) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < word.tokens.size(); ++at, ++kept) {
    const bool both =
        at + 1 < word.tokens.size() && word.tokens[at] == merge.left && word.tokens[at + 1] == merge.right;
    word.tokens[kept] = both ? joined : word.tokens[at];
    if (both) ++at;
  }
  word.tokens.resize(kept);
}

}  // namespace

std::vector<Bpe::Merge> learn_merges(std::span<const std::string_view> texts, int count) {
  std::vector<Word> words = distinct_words(texts);
  PairCounts pairs;
  for (std::size_t i = 0; i < words.size(); ++i) count_pairs(words[i], i, pairs);

  std::vector<Bpe::Merge> merges;
  while (static_cast<int>(merges.size()) < count && !pairs.empty()) {
    const std::uint32_t best = pairs.most_frequent();
    if (pairs.count(best) < 2) break;
    const Bpe::Merge merge = pairs.tokens(best);
    const Token joined = 256 + static_cast<Token>(merges.size());
    merges.push_back(merge);
    for (const std::size_t number : pairs.take_words(best)) {
      Word& word = words[number];
      if (!contains(word, merge)) continue;
      uncount_pairs(word, pairs);
      apply(merge, joined, word);
      count_pairs(word, number, pairs);
    }
  }
  return merges;
}

}  // namespace inferwire::inline v0_1::engine
