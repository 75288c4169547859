// The bundled embedding model: hashed words and character n-grams, weighted by inverse document frequency.
#include "base/ascii.hpp"
#include "base/fnv1a.hpp"
#include "base/immortal.hpp"
#include "engine/model/corpus.hpp"
#include "engine/model/flat_index.hpp"
#include "engine/model/random.hpp"
#include "engine/model/text.hpp"
#include "engine/model/vector_math.hpp"
#include "inferwire/engine/embedding_model.hpp"
#include "inferwire/engine/language_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

EmbeddingModel::~EmbeddingModel() = default;

namespace {

constexpr int most_dimensions = 1024;

/// Shorter lines of the corpus are markers and lists, in which every word looks rare.
constexpr std::size_t shortest_document = 20;

/// The weight of the commonest words relative to the rarest.
constexpr float least_weight = 0.15F;
/// The weight of a word's n-grams together relative to the word itself.
constexpr float letters_share = 1.2F;
/// The weight of an instruction relative to the text: enough to shift it, too little to drown it.
constexpr float instruction_share = 0.15F;

constexpr std::size_t shortest_gram = 3;
constexpr std::size_t longest_gram = 5;

/// Calls `visit(word)` for each run of letters and digits, in lower case.
template <class Visit>
void each_word(std::string_view text, Visit visit) {
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) visit(std::string_view(word));
    word.clear();
  };
  for (const char c : text) {
    if (c != '\'' && (is_letter(c) || ascii::is_digit(c))) {
      word += ascii::to_lower(c);
    } else {
      flush();
    }
  }
  flush();
}

/// FNV-1a, its bits spread by a round of SplitMix64.
std::uint64_t hash(std::string_view bytes, std::uint64_t kind) noexcept {
  Fnv1a hash(Fnv1a::basis ^ kind);
  hash.add(bytes);
  return Random{hash.value()}.next();
}

constexpr std::uint64_t word_kind = 1;
constexpr std::uint64_t gram_kind = 2;

/// How much a word says about a text.
class Rarity {
 public:
  explicit Rarity(std::span<const std::string_view> texts) {
    for (const auto text : texts) {
      for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        if (end - at >= shortest_document) count(text.substr(at, end - at));
        at = end + 1;
      }
    }
    // idf = ln((documents + 1) / (documents with the word + 1/2)), relative to that of an unknown word.
    std::vector<float> idf(frequencies_.size() + 1);
    const auto all = static_cast<float>(documents_) + 1;
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      idf[i] = all / (static_cast<float>(frequencies_[i]) + 0.5F);
    }
    idf.back() = all / 0.5F;
    logarithms(idf, idf);
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      weights_.push_back(std::max(least_weight, idf[i] / idf.back()));
    }
  }

  /// 1 for a word that the corpus does not have.
  float of(std::uint64_t word) const noexcept {
    const auto place = places_.find(word);
    return place == FlatIndex::none ? 1.0F : weights_[place];
  }

 private:
  void count(std::string_view document) {
    ++documents_;
    std::vector<std::uint64_t> words;
    each_word(document, [&](std::string_view word) { words.push_back(hash(word, word_kind)); });
    std::ranges::sort(words);
    // Clang 15 does not compile what std::ranges::unique of libstdc++ 12 returns.
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const auto word : words) {
      const auto place = places_.find_or_insert(word, static_cast<std::uint32_t>(frequencies_.size()));
      if (place == frequencies_.size()) frequencies_.push_back(0);
      ++frequencies_[place];
    }
  }

  FlatIndex places_;
  std::vector<int> frequencies_;
  std::vector<float> weights_;
  int documents_{};
};

/// Adds a feature to two elements of the vector, each with a sign: a random projection that needs no matrix.
void project(std::span<float> out, std::uint64_t feature, float weight) {
  Random random{feature};
  for (int i = 0; i < 2; ++i) {
    const auto bits = random.next();
    out[static_cast<std::size_t>((bits >> 1U) % out.size())] += (bits & 1U) != 0 ? weight : -weight;
  }
}

class ToyEmbeddingModel final : public EmbeddingModel {
 public:
  ToyEmbeddingModel() : rarity_(corpus()), vocabulary_(toy_model()) {}

  std::string_view id() const override { return "inferwire-embed-1"; }
  int dimensions() const override { return most_dimensions; }
  int context_window() const override { return vocabulary_->context_window(); }
  int vocabulary_size() const override { return vocabulary_->vocabulary_size(); }
  int count_tokens(std::string_view utf8) const override {
    return static_cast<int>(vocabulary_->tokenize(utf8, false).size());
  }
  std::string text_of(std::span<const std::int32_t> tokens) const override {
    std::string bytes;
    for (const auto token : tokens) bytes += vocabulary_->token_bytes(token);
    return bytes;
  }

  void embed(std::string_view text, std::string_view instruction, std::span<float> out) const override {
    add(text, out);
    if (instruction.empty()) return;
    std::vector<float> shift(out.size());
    add(instruction, shift);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += instruction_share * shift[i];
    normalise(out);
  }

 private:
  void add(std::string_view text, std::span<float> out) const {
    std::ranges::fill(out, 0.0F);
    std::string marked;
    each_word(text, [&](std::string_view word) {
      const auto feature = hash(word, word_kind);
      const float weight = rarity_.of(feature);
      project(out, feature, weight);
      marked.assign(1, '<').append(word) += '>';
      add_letters(marked, weight, out);
    });
    normalise(out);
  }

  /// Adds the n-grams of a word whose ends are marked, so that inflected words are near.
  static void add_letters(std::string_view marked, float weight, std::span<float> out) {
    std::size_t count = 0;
    for (auto size = shortest_gram; size <= std::min(longest_gram, marked.size()); ++size) {
      count += marked.size() - size + 1;
    }
    if (count == 0) return;
    const float each = letters_share * weight / std::sqrt(static_cast<float>(count));
    for (auto size = shortest_gram; size <= std::min(longest_gram, marked.size()); ++size) {
      for (std::size_t at = 0; at + size <= marked.size(); ++at) {
        project(out, hash(marked.substr(at, size), gram_kind), each);
      }
    }
  }

  Rarity rarity_;
  std::shared_ptr<const LanguageModel> vocabulary_;
};

}  // namespace

std::shared_ptr<const EmbeddingModel> toy_embedding_model() {
  static const Immortal<std::shared_ptr<const EmbeddingModel>> model(std::make_shared<ToyEmbeddingModel>());
  return model.value;
}

}  // namespace inferwire::inline v0_1::engine
