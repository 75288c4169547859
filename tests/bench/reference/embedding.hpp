/// \file
/// A plain embedding by hashed words and their letters: the engine's is measured against it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inferwire_bench::reference {

class Embedding {
 public:
  static constexpr std::size_t dimensions = 1024;

  explicit Embedding(const std::string& corpus) {
    std::unordered_map<std::uint64_t, float> lines_with;
    std::istringstream text(corpus);
    float lines = 0;
    for (std::string line; std::getline(text, line);) {
      if (line.size() < 20) continue;
      ++lines;
      auto words = words_of(line);
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (const auto& word : words) ++lines_with[hash(word)];
    }
    for (const auto& [word, count] : lines_with) rarity_[word] = std::log((lines + 1) / (count + 0.5F));
    highest_ = std::log((lines + 1) / 0.5F);
  }

  std::vector<float> operator()(std::string_view text) const {
    std::vector<float> out(dimensions);
    for (const auto& word : words_of(text)) {
      const float weight = weight_of(word);
      put(out, hash(word), weight);
      const auto marked = "<" + word + ">";
      int parts = 0;
      for (std::size_t n = 3; n <= 5; ++n) {
        for (std::size_t j = 0; j + n <= marked.size(); ++j) ++parts;
      }
      const float each = parts > 0 ? weight * 1.2F / std::sqrt(static_cast<float>(parts)) : 0;
      for (std::size_t n = 3; n <= 5; ++n) {
        for (std::size_t j = 0; j + n <= marked.size(); ++j) {
          put(out, hash(std::string_view(marked).substr(j, n), 7), each);
        }
      }
    }
    double square = 0;
    for (const float x : out) square += static_cast<double>(x) * static_cast<double>(x);
    const auto length = static_cast<float>(std::sqrt(square));
    if (length > 0) {
      for (float& x : out) x /= length;
    }
    return out;
  }

 private:
  static std::uint64_t hash(std::string_view bytes, std::uint64_t value = 1469598103934665603U) {
    for (const char c : bytes) {
      value ^= static_cast<unsigned char>(c);
      value *= 1099511628211U;
    }
    value ^= value >> 32U;
    value *= 0x9E3779B97F4A7C15U;
    return value ^ (value >> 29U);
  }

  static std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || byte >= 128) {
        word += static_cast<char>(std::tolower(byte));
      } else if (!word.empty()) {
        words.push_back(word);
        word.clear();
      }
    }
    if (!word.empty()) words.push_back(word);
    return words;
  }

  float weight_of(std::string_view word) const {
    const auto found = rarity_.find(hash(word));
    return std::max(0.15F, (found == rarity_.end() ? highest_ : found->second) / highest_);
  }

  static void put(std::vector<float>& out, std::uint64_t feature, float weight) {
    out[feature % dimensions] += (feature >> 40U & 1U) != 0 ? weight : -weight;
    const std::uint64_t other = feature * 0xD6E8FEB86659FD93U;
    out[(other >> 17U) % dimensions] += (other >> 41U & 1U) != 0 ? weight : -weight;
  }

  std::unordered_map<std::uint64_t, float> rarity_;
  float highest_{};
};

}  // namespace inferwire_bench::reference
