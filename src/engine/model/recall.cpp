#include "engine/model/recall.hpp"

#include "engine/model/vector_math.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::engine {
namespace {

/// The share of a recalled phrase. The rest lets the text turn to another phrase: with more, the model would
/// only quote.
constexpr float share_of(std::size_t known) noexcept {
  if (known < 3) return 0.0F;
  if (known < 4) return 0.3F;
  return known < 6 ? 0.6F : 0.8F;
}

}  // namespace

Recall::Recall(std::vector<Token> corpus, Voice::Markers markers) : corpus_{std::move(corpus)} {
  Voice voice{markers};
  places_.reserve(corpus_.size());
  for (std::uint32_t place = 0; place < corpus_.size(); ++place) {
    if (voice.says(corpus_[place])) places_.push_back(place);
  }
  std::sort(places_.begin(), places_.end(), [this](std::uint32_t a, std::uint32_t b) {
    for (std::size_t back = 1; back <= longest; ++back) {
      if (before(a, back) != before(b, back)) return before(a, back) < before(b, back);
    }
    return a < b;
  });
}

void Recall::mix(std::span<const Token> recent, std::span<float> probabilities) const {
  // Each further token narrows the places down, until none is left.
  std::span<const std::uint32_t> found = places_;
  std::size_t known = 0;
  while (known < std::min(longest, recent.size())) {
    const std::size_t back = known + 1;
    const Token token = recent[recent.size() - back];
    const auto first = std::partition_point(found.begin(), found.end(),
                                            [&](std::uint32_t place) { return before(place, back) < token; });
    const auto last = std::partition_point(first, found.end(),
                                           [&](std::uint32_t place) { return before(place, back) == token; });
    if (first == last) break;
    found = {first, last};
    known = back;
  }
  const float share = share_of(known);
  if (share == 0) return;
  scale(probabilities, 1 - share, probabilities);
  const float each = share / static_cast<float>(found.size());
  for (const std::uint32_t place : found) probabilities[static_cast<std::size_t>(corpus_[place])] += each;
}

}  // namespace inferwire::inline v0_1::engine
