#include "engine/model/kneser_ney.hpp"

#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <iterator>

namespace inferwire::inline v0_1::engine {
namespace {

// A gram is a context of up to three tokens and the token after it in one number, 16 bits each, the newest
// in the lowest bits. Context tokens are stored plus one, so that a missing one (0) differs from token 0.
// Sorting thus groups grams by context.
using Gram = std::uint64_t;
constexpr unsigned bits_per_token = 16;

constexpr Gram packed_context(Gram context, Token next) noexcept {
  return context << bits_per_token | static_cast<Gram>(next + 1);
}

/// The lowest `count` tokens of a packed number.
constexpr Gram newest(Gram packed, std::size_t count) noexcept {
  return packed & ((Gram{1} << (bits_per_token * count)) - 1);
}

struct Counted {
  Gram gram;
  std::uint32_t count;
};

std::vector<Counted> count_equal(std::vector<Gram> grams) {
  std::sort(grams.begin(), grams.end());
  std::vector<Counted> counted;
  for (const Gram gram : grams) {
    if (counted.empty() || counted.back().gram != gram) counted.push_back({gram, 0});
    ++counted.back().count;
  }
  return counted;
}

/// The grams of the text by the length of their context: the longest, except close to the beginning of a
/// document, where less context is available.
template <std::size_t Longest>
std::array<std::vector<Gram>, Longest + 1> grams_of(const KneserNey::Text& text) {
  std::array<std::vector<Gram>, Longest + 1> grams;
  Voice voice{text.markers};
  Gram context = packed_context(0, text.markers.document_end);
  std::size_t length = 1;
  for (const Token token : text.tokens) {
    if (voice.says(token)) {
      grams[length].push_back(newest(context, length) << bits_per_token | static_cast<Gram>(token));
    }
    if (token == text.markers.document_end) {
      context = packed_context(0, token);
      length = 1;
    } else {
      context = newest(packed_context(context, token), Longest);
      length = std::min(length + 1, Longest);
    }
  }
  return grams;
}

/// The part of the estimated discounts that is applied. The full discounts predict unseen text best, but with
/// so small a corpus unseen tokens become so likely that at temperature 1, the default, hardly a word comes
/// out intact. This model has to write, not to predict.
constexpr double discounting = 0.3;

/// The discounts of the counts 1, 2, and 3 or more, estimated from how many grams have the counts 1 to 4.
class Discounts {
 public:
  explicit Discounts(const std::vector<Counted>& grams) {
    std::array<double, 5> having{};
    for (const Counted& gram : grams) {
      if (gram.count < having.size()) having[gram.count] += 1;
    }
    const auto [_, ones, twos, threes, fours] = having;
    // Texts too small for the estimate get the average discounts of larger ones.
    if (ones == 0 || twos == 0 || threes == 0) return;
    const double y = ones / (ones + 2 * twos);
    taken_[1] = std::clamp(1 - 2 * y * twos / ones, 0.1, 0.95);
    taken_[2] = std::clamp(2 - 3 * y * threes / twos, 0.2, 1.9);
    taken_[3] = std::clamp(3 - 4 * y * fours / threes, 0.3, 2.8);
  }

  double of(std::uint32_t count) const { return discounting * taken_[std::min<std::uint32_t>(count, 3)]; }

 private:
  std::array<double, 4> taken_{0, 0.6, 1.0, 1.4};
};

/// Probabilities without context: the discounted share is spread evenly over seen tokens, and unseen ones get
/// a tiny share. They are mostly stray bytes that would spoil a text, but no token may be impossible.
std::vector<float> without_context(const std::vector<Counted>& grams, const KneserNey::Text& text) {
  constexpr double for_unseen = 1e-6;
  const Discounts discounts{grams};
  double total = 0;
  double taken = 0;
  for (const Counted& gram : grams) {
    total += gram.count;
    taken += discounts.of(gram.count);
  }
  const auto unseen = static_cast<double>(text.markers.context_only) - static_cast<double>(grams.size());
  const double kept = unseen > 0 ? 1 - for_unseen : 1;
  std::vector<float> shares(static_cast<std::size_t>(text.vocabulary_size), 0.0F);
  for (Token token = 0; token < text.markers.context_only; ++token) {
    shares[static_cast<std::size_t>(token)] = static_cast<float>(for_unseen / std::max(unseen, 1.0));
  }
  const double even = taken / static_cast<double>(grams.size());
  for (const Counted& gram : grams) {
    shares[static_cast<std::size_t>(gram.gram)] =
        static_cast<float>(kept * (gram.count - discounts.of(gram.count) + even) / total);
  }
  return shares;
}

}  // namespace

KneserNey::KneserNey(const Text& text) {
  std::array<std::vector<Gram>, longest_context + 1> grams = grams_of<longest_context>(text);
  for (std::size_t length = longest_context; length > 0; --length) {
    const std::vector<Counted> counted = count_equal(std::move(grams[length]));
    const Discounts discounts{counted};
    Level& level = levels_[length - 1];
    for (auto first = counted.begin(); first != counted.end();) {
      const Gram context = first->gram >> bits_per_token;
      const auto last = std::find_if(
          first, counted.end(), [context](const Counted& c) { return c.gram >> bits_per_token != context; });
      double total = 0;
      double taken = 0;
      for (auto it = first; it != last; ++it) {
        total += it->count;
        taken += discounts.of(it->count);
      }
      level.contexts.push_back(context);
      level.begins.push_back(static_cast<std::uint32_t>(level.continuations.size()));
      level.backoffs.push_back(static_cast<float>(taken / total));
      for (; first != last; ++first) {
        level.continuations.push_back(
            {static_cast<std::uint16_t>(newest(first->gram, 1)),
             static_cast<float>((first->count - discounts.of(first->count)) / total)});
        // Each distinct gram counts once for the gram without its oldest token.
        grams[length - 1].push_back(newest(first->gram, length));
      }
    }
    level.begins.push_back(static_cast<std::uint32_t>(level.continuations.size()));
  }
  alone_ = without_context(count_equal(std::move(grams[0])), text);
}

void KneserNey::probabilities(std::span<const Token> context, std::span<float> out) const {
  // Finds the known contexts. A longer one is known only if the shorter ones are.
  std::array<std::size_t, longest_context> found{};
  std::size_t known = 0;
  Gram packed = 0;
  while (known < longest_context && known < context.size()) {
    const auto newest_token = static_cast<Gram>(context[context.size() - 1 - known] + 1);
    packed |= newest_token << (bits_per_token * known);
    const std::vector<std::uint64_t>& contexts = levels_[known].contexts;
    const auto at = std::lower_bound(contexts.begin(), contexts.end(), packed);
    if (at == contexts.end() || *at != packed) break;
    found[known] = static_cast<std::size_t>(std::distance(contexts.begin(), at));
    ++known;
  }

  // Beginning with the longest, each takes its share of what the longer ones left.
  std::array<float, longest_context> weights{};
  float left = 1;
  for (std::size_t length = known; length-- > 0;) {
    weights[length] = left;
    left *= levels_[length].backoffs[found[length]];
  }
  scale(alone_, left, out);
  for (std::size_t length = 0; length < known; ++length) {
    const Level& level = levels_[length];
    const std::uint32_t end = level.begins[found[length] + 1];
    for (std::uint32_t at = level.begins[found[length]]; at < end; ++at) {
      out[level.continuations[at].token] += weights[length] * level.continuations[at].share;
    }
  }
}

}  // namespace inferwire::inline v0_1::engine
