#include "engine/model/examples.hpp"

#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace inferwire::inline v0_1::engine {
namespace {

/// The share of the examples, which grows with the likeness of the questions.
constexpr float share_of(float likeness) noexcept { return 0.4F + 0.4F * likeness; }

/// How many of the last tokens are compared, how many must be equal (except at the beginning of an answer),
/// and how much a place counts by the number of equal ones.
constexpr std::size_t longest_fit = 4;
constexpr std::size_t shortest_fit = 2;
constexpr std::array<float, longest_fit> gain_of_fit{1, 4, 16, 64};

}  // namespace

template <class Visit>
void Examples::each_continuation(std::span<const Token> recent, Visit visit) const {
  for (const Example& example : examples_) {
    for (std::size_t at = 1; at < example.answer.size(); ++at) {
      if (example.answer[at - 1] != recent.back()) continue;
      std::size_t same = 1;
      while (same < std::min({at, recent.size(), longest_fit}) &&
             example.answer[at - 1 - same] == recent[recent.size() - 1 - same]) {
        ++same;
      }
      if (same >= shortest_fit || same == at)
        visit(example.answer[at], example.likeness * gain_of_fit[same - 1]);
    }
  }
}

void Examples::mix(std::span<const Token> recent, std::span<float> probabilities) const {
  if (recent.empty()) return;
  float all = 0;
  each_continuation(recent, [&](Token, float fit) { all += fit; });
  if (all == 0) return;
  const float share = share_of(examples_.front().likeness);
  scale(probabilities, 1 - share, probabilities);
  each_continuation(recent, [&](Token token, float fit) {
    probabilities[static_cast<std::size_t>(token)] += share * fit / all;
  });
}

}  // namespace inferwire::inline v0_1::engine
