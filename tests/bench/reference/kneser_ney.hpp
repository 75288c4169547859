/// \file
/// A plain interpolated Kneser-Ney model with hashed contexts: the engine's is measured against it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace inferwire_bench::reference {

class KneserNey {
 public:
  static constexpr std::size_t order = 4;

  KneserNey(std::span<const int> text, int vocabulary_size) {
    auto counted = count(text);
    alone(counted[1], static_cast<std::size_t>(vocabulary_size));
    for (std::size_t n = 2; n <= order; ++n) build(levels_[n], counted[n]);
  }

  /// Fills `out` with the probability of every token after `history`.
  void probabilities(std::span<const int> history, std::span<float> out) const {
    std::array<const Context*, order + 1> found{};
    std::size_t top = 1;
    for (std::size_t n = 2; n <= order && n - 1 <= history.size(); ++n) {
      found[n] = find(levels_[n], hash(history.last(n - 1)));
      if (found[n] == nullptr) break;
      top = n;
    }
    std::array<float, order + 1> weights{};
    weights[top] = 1;
    for (std::size_t n = top; n >= 2; --n) weights[n - 1] = weights[n] * found[n]->backoff;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = weights[1] * alone_[i];
    for (std::size_t n = 2; n <= top; ++n) {
      const auto* entry = &levels_[n].entries[found[n]->first];
      for (std::uint32_t i = 0; i < found[n]->count; ++i) out[entry[i].first] += weights[n] * entry[i].second;
    }
  }

 private:
  struct Context {
    std::uint64_t hash;
    std::uint32_t first;
    std::uint32_t count;
    float backoff;
  };
  struct Level {
    std::vector<Context> contexts;
    std::vector<std::pair<std::uint16_t, float>> entries;
    std::vector<std::uint32_t> index;  // open addressing; the size is a power of two
  };
  /// The hash of a context, a token, and how often the token follows the context.
  using Counted = std::vector<std::array<std::uint64_t, 3>>;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  static std::uint64_t hash(std::span<const int> context) {
    std::uint64_t value = context.size();
    for (const int token : context) {
      value ^= static_cast<std::uint64_t>(token + 1) * 0x9E3779B97F4A7C15U;
      value ^= value >> 29U;
      value *= 0xBF58476D1CE4E5B9U;
      value ^= value >> 32U;
    }
    return value;
  }

  /// Counts the longest grams by how often they occur, shorter ones by how many different tokens come before
  /// them.
  static std::array<Counted, order + 1> count(std::span<const int> text) {
    std::array<Counted, order + 1> out;
    for (std::size_t n = order; n >= 1; --n) {
      std::vector<std::array<std::uint64_t, 2>> grams;
      if (n == order) {
        for (std::size_t i = n - 1; i < text.size(); ++i) {
          grams.push_back({hash(text.subspan(i - (n - 1), n - 1)), static_cast<std::uint64_t>(text[i])});
        }
      } else {
        std::vector<std::array<std::uint64_t, 3>> longer;
        for (std::size_t i = n; i < text.size(); ++i) {
          longer.push_back({hash(text.subspan(i - n, n)), static_cast<std::uint64_t>(text[i]),
                            hash(text.subspan(i - (n - 1), n - 1))});
        }
        std::sort(longer.begin(), longer.end());
        const auto same = [](const auto& a, const auto& b) { return a[0] == b[0] && a[1] == b[1]; };
        longer.erase(std::unique(longer.begin(), longer.end(), same), longer.end());
        for (const auto& gram : longer) grams.push_back({gram[2], gram[1]});
      }
      std::sort(grams.begin(), grams.end());
      for (std::size_t i = 0, j = 0; i < grams.size(); i = j) {
        while (j < grams.size() && grams[j] == grams[i]) ++j;
        out[n].push_back({grams[i][0], grams[i][1], j - i});
      }
    }
    return out;
  }

  void alone(const Counted& counted, std::size_t vocabulary_size) {
    double total = 0, ones = 0, twos = 0;
    for (const auto& gram : counted) {
      total += static_cast<double>(gram[2]);
      ones += gram[2] == 1 ? 1 : 0;
      twos += gram[2] == 2 ? 1 : 0;
    }
    const double discount = ones > 0 ? ones / (ones + 2 * twos) : 0.5;
    const double even =
        discount * static_cast<double>(counted.size()) / total / static_cast<double>(vocabulary_size);
    alone_.assign(vocabulary_size, static_cast<float>(even));
    for (const auto& gram : counted) {
      alone_[gram[1]] += static_cast<float>((static_cast<double>(gram[2]) - discount) / total);
    }
  }

  static std::array<double, 4> discounts_of(const Counted& counted) {
    std::array<double, 5> having{};
    for (const auto& gram : counted) {
      if (gram[2] < having.size()) having[gram[2]] += 1;
    }
    constexpr double tiny = 1e-9;
    const auto [_, ones, twos, threes, fours] = having;
    const double y = ones / (ones + 2 * twos + tiny);
    return {0, std::max(0.1, 1 - 2 * y * twos / (ones + tiny)),
            std::max(0.2, 2 - 3 * y * threes / (twos + tiny)),
            std::max(0.3, 3 - 4 * y * fours / (threes + tiny))};
  }

  static void build(Level& level, const Counted& counted) {
    const auto discounts = discounts_of(counted);
    const auto discount = [&](std::uint64_t times) { return discounts[std::min<std::uint64_t>(times, 3)]; };
    for (std::size_t i = 0, j = 0; i < counted.size(); i = j) {
      double total = 0, taken = 0;
      for (; j < counted.size() && counted[j][0] == counted[i][0]; ++j) {
        total += static_cast<double>(counted[j][2]);
        taken += discount(counted[j][2]);
      }
      level.contexts.push_back({counted[i][0], static_cast<std::uint32_t>(level.entries.size()),
                                static_cast<std::uint32_t>(j - i), static_cast<float>(taken / total)});
      for (std::size_t k = i; k < j; ++k) {
        const double share = (static_cast<double>(counted[k][2]) - discount(counted[k][2])) / total;
        level.entries.emplace_back(static_cast<std::uint16_t>(counted[k][1]), static_cast<float>(share));
      }
    }
    std::size_t capacity = 1;
    while (capacity < 2 * level.contexts.size()) capacity *= 2;
    level.index.assign(capacity, none);
    for (std::uint32_t i = 0; i < level.contexts.size(); ++i) {
      auto slot = level.contexts[i].hash & (capacity - 1);
      while (level.index[slot] != none) slot = (slot + 1) & (capacity - 1);
      level.index[slot] = i;
    }
  }

  static const Context* find(const Level& level, std::uint64_t hash) {
    const auto mask = level.index.size() - 1;
    for (auto slot = hash & mask; level.index[slot] != none; slot = (slot + 1) & mask) {
      if (level.contexts[level.index[slot]].hash == hash) return &level.contexts[level.index[slot]];
    }
    return nullptr;
  }

  std::vector<float> alone_;
  std::array<Level, order + 1> levels_;
};

}  // namespace inferwire_bench::reference
