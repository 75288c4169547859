/// \file
/// A plain byte-pair encoding, learnt and used without optimisation: the engine's is measured against it.
#pragma once

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inferwire_bench::reference {

/// Splits a text into words with the space before them, runs of up to three digits, and runs of the same
/// sign.
inline std::vector<std::string_view> words_of(std::string_view text) {
  const auto is_letter = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || byte >= 128 || c == '\'';
  };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string_view> words;
  for (std::size_t i = 0, begin = 0; i < text.size(); begin = i) {
    if (text[i] == ' ' && i + 1 < text.size() && text[i + 1] != ' ' && text[i + 1] != '\n') ++i;
    const char first = text[i];
    if (is_letter(first)) {
      while (i < text.size() && is_letter(text[i])) ++i;
    } else if (is_digit(first)) {
      for (int digits = 0; i < text.size() && is_digit(text[i]) && digits < 3; ++digits) ++i;
    } else {
      while (i < text.size() && text[i] == first) ++i;
      if (first == ' ' && i < text.size() && i - begin > 1) --i;
    }
    words.push_back(text.substr(begin, i - begin));
  }
  return words;
}

class Bpe {
 public:
  Bpe(std::string_view text, int vocabulary_size) {
    for (int byte = 0; byte < 256; ++byte) pieces_.emplace_back(1, static_cast<char>(byte));
    learn(text, static_cast<std::size_t>(vocabulary_size));
  }

  int size() const { return static_cast<int>(pieces_.size()); }
  const std::string& piece(int token) const { return pieces_[static_cast<std::size_t>(token)]; }

  std::vector<int> encode(std::string_view text) const {
    std::vector<int> tokens;
    for (const auto word : words_of(text)) encode_word(word, tokens);
    return tokens;
  }

 private:
  struct Word {
    std::vector<int> tokens{};
    int count{};
  };

  static std::uint64_t key(int a, int b) {
    return static_cast<std::uint64_t>(a) << 32U | static_cast<std::uint32_t>(b);
  }

  void learn(std::string_view text, std::size_t vocabulary_size) {
    std::map<std::string, int> counts;
    for (const auto word : words_of(text)) ++counts[std::string(word)];
    std::vector<Word> words;
    for (const auto& [bytes, count] : counts) {
      Word word{.count = count};
      for (const char c : bytes) word.tokens.push_back(static_cast<unsigned char>(c));
      words.push_back(std::move(word));
    }

    std::unordered_map<std::uint64_t, std::int64_t> pairs;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> where;
    const auto note = [&](std::size_t at) {
      const auto& [tokens, count] = words[at];
      for (std::size_t j = 0; j + 1 < tokens.size(); ++j) {
        const auto pair = key(tokens[j], tokens[j + 1]);
        pairs[pair] += count;
        auto& places = where[pair];
        if (places.empty() || places.back() != at) places.push_back(at);
      }
    };
    for (std::size_t at = 0; at < words.size(); ++at) note(at);

    while (pieces_.size() < vocabulary_size) {
      std::uint64_t best = 0;
      std::int64_t most = 0;
      for (const auto& [pair, count] : pairs) {
        if (count < most || (count == most && pair >= best)) continue;
        best = pair;
        most = count;
      }
      if (most < 2) break;
      const int left = static_cast<int>(best >> 32U);
      const int right = static_cast<int>(best & std::numeric_limits<std::uint32_t>::max());
      const int joined = size();
      pieces_.push_back(piece(left) + piece(right));
      joined_[best] = joined;
      const auto places = where[best];
      for (const auto at : places) {
        auto& word = words[at];
        auto tokens = merged(word.tokens, left, right, joined);
        if (tokens.size() == word.tokens.size()) continue;
        for (std::size_t j = 0; j + 1 < word.tokens.size(); ++j) {
          pairs[key(word.tokens[j], word.tokens[j + 1])] -= word.count;
        }
        word.tokens = std::move(tokens);
        note(at);
      }
      pairs.erase(best);
    }
  }

  static std::vector<int> merged(const std::vector<int>& tokens, int left, int right, int joined) {
    std::vector<int> out;
    for (std::size_t j = 0; j < tokens.size(); ++j) {
      const bool both = j + 1 < tokens.size() && tokens[j] == left && tokens[j + 1] == right;
      out.push_back(both ? joined : tokens[j]);
      if (both) ++j;
    }
    return out;
  }

  void encode_word(std::string_view word, std::vector<int>& out) const {
    std::vector<int> tokens;
    for (const char c : word) tokens.push_back(static_cast<unsigned char>(c));
    while (tokens.size() > 1) {
      int best = std::numeric_limits<int>::max();
      std::size_t at = 0;
      for (std::size_t j = 0; j + 1 < tokens.size(); ++j) {
        const auto found = joined_.find(key(tokens[j], tokens[j + 1]));
        if (found == joined_.end() || found->second >= best) continue;
        best = found->second;
        at = j;
      }
      if (best == std::numeric_limits<int>::max()) break;
      tokens[at] = best;
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    out.insert(out.end(), tokens.begin(), tokens.end());
  }

  std::vector<std::string> pieces_;
  std::unordered_map<std::uint64_t, int> joined_;
};

}  // namespace inferwire_bench::reference
