#include "engine/model/sampler.hpp"

#include "engine/model/vector_math.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

namespace inferwire::inline v0_1::engine {
namespace {

constexpr float excluded = -std::numeric_limits<float>::infinity();
constexpr float ban = -100.0F;
/// Larger than any logit, but so small that sums of it are still finite.
constexpr float beyond_all = 1e6F;

/// Below this, only the likeliest token has a weight that a float can represent.
constexpr float coldest = 1e-4F;

/// Clamps infinities: those of opposite signs add up to NaN.
SamplingOptions limited(SamplingOptions options) {
  const auto limit = [](float& value) { value = std::clamp(value, -beyond_all, beyond_all); };
  limit(options.frequency_penalty);
  limit(options.presence_penalty);
  for (auto& [token, bias] : options.logit_bias) limit(bias);
  return options;
}

}  // namespace

std::vector<ScoredToken> likeliest_tokens(std::span<const float> log_probs, int count) {
  if (count <= 0) return {};
  std::vector<Token> tokens(log_probs.size());
  std::iota(tokens.begin(), tokens.end(), 0);
  const auto size = std::min(tokens.size(), static_cast<std::size_t>(count));
  const auto before = [log_probs](Token a, Token b) {
    const float score_a = log_probs[static_cast<std::size_t>(a)];
    const float score_b = log_probs[static_cast<std::size_t>(b)];
    return score_a != score_b ? score_a > score_b : a < b;
  };
  std::partial_sort(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(size), tokens.end(), before);
  std::vector<ScoredToken> top;
  top.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    top.push_back({tokens[i], log_probs[static_cast<std::size_t>(tokens[i])]});
  }
  return top;
}

Sampler::Sampler(SamplingOptions options, int vocabulary_size)
    : options_{limited(std::move(options))},
      random_{options_.seed},
      scores_(static_cast<std::size_t>(vocabulary_size)),
      times_generated_(static_cast<std::size_t>(vocabulary_size)) {}

std::optional<Sample> Sampler::next(std::span<const float> log_probs, std::span<const std::uint8_t> allowed) {
  adjust(log_probs, allowed);
  const float highest = largest(scores_);
  if (highest == excluded) return std::nullopt;
  const bool greedy = options_.temperature < coldest || options_.top_k == 1;
  const Token token = greedy ? first_with(highest) : draw(highest);
  remember(token);
  return Sample{token, log_probs[static_cast<std::size_t>(token)],
                likeliest_tokens(log_probs, options_.top_logprobs)};
}

void Sampler::adjust(std::span<const float> log_probs, std::span<const std::uint8_t> allowed) {
  // NaN and infinity, which a model must not give, would be found nowhere below.
  std::ranges::transform(log_probs, scores_.begin(),
                         [](float score) { return score <= beyond_all ? score : excluded; });
  for (std::size_t token = 0; token < allowed.size(); ++token) {
    if (allowed[token] == 0) scores_[token] = excluded;
  }
  for (const auto& [token, bias] : options_.logit_bias) {
    const auto at = static_cast<std::size_t>(token);
    if (at < scores_.size()) scores_[at] += bias <= ban ? excluded : bias;
  }
  for (const Token token : generated_) {
    const auto at = static_cast<std::size_t>(token);
    scores_[at] -= options_.frequency_penalty * static_cast<float>(times_generated_[at]);
    scores_[at] -= options_.presence_penalty;
  }
}

Token Sampler::first_with(float score) const {
  return static_cast<Token>(std::find(scores_.begin(), scores_.end(), score) - scores_.begin());
}

Token Sampler::draw(float highest) {
  exponentials(scores_, highest, 1.0F / options_.temperature, scores_);
  return options_.top_k > 0 || options_.top_p < 1.0F ? draw_from_likeliest() : draw_from_all();
}

Token Sampler::draw_from_all() {
  const float target = random_.uniform() * sum(scores_);
  float reached = 0;
  Token last = 0;  // rounding may leave `target` beyond the end
  for (std::size_t at = 0; at < scores_.size(); ++at) {
    if (scores_[at] <= 0) continue;
    last = static_cast<Token>(at);
    reached += scores_[at];
    if (reached > target) break;
  }
  return last;
}

Token Sampler::draw_from_likeliest() {
  if (options_.top_k > 0) {
    const auto most = static_cast<std::size_t>(options_.top_k);
    collect(limit_below(most));
    if (most < candidates_.size()) {
      const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(most);
      std::nth_element(candidates_.begin(), end, candidates_.end(), std::greater());
      candidates_.erase(end, candidates_.end());
    }
  } else {
    // Tokens so unlikely that all of them together do not affect top_p need no sorting. The factor one half
    // rules out effects of rounding.
    const float unlikely = 1 - std::clamp(options_.top_p, 0.0F, 1.0F);
    collect(0.5F * unlikely * sum(scores_) / static_cast<float>(scores_.size()));
  }
  std::sort(candidates_.begin(), candidates_.end(), std::greater());

  const auto add = [](float so_far, Candidate candidate) { return so_far + candidate.weight(); };
  const float all =
      options_.top_k > 0 ? std::accumulate(candidates_.begin(), candidates_.end(), 0.0F, add) : sum(scores_);
  float kept = 0;
  std::size_t count = 0;
  do {
    kept += candidates_[count++].weight();
  } while (count < candidates_.size() && kept < options_.top_p * all);

  const float target = random_.uniform() * kept;
  float reached = 0;
  for (std::size_t i = 0; i < count; ++i) {
    reached += candidates_[i].weight();
    if (reached > target) return candidates_[i].token();
  }
  return candidates_[count - 1].token();
}

float Sampler::limit_below(std::size_t most) const {
  // Weights fall off steeply. Counting them is much cheaper than collecting them.
  for (const float limit : {1e-2F, 3e-3F, 1e-3F, 1e-4F, 1e-6F}) {
    if (count_above(scores_, limit) >= most) return limit;
  }
  return 0.0F;
}

void Sampler::collect(float above) {
  // Branch-free: which tokens pass cannot be predicted.
  candidates_.resize(scores_.size());
  std::size_t count = 0;
  for (std::size_t at = 0; at < scores_.size(); ++at) {
    candidates_[count] = Candidate(static_cast<Token>(at), scores_[at]);
    count += scores_[at] > above ? 1U : 0U;
  }
  candidates_.resize(count);
}

void Sampler::remember(Token token) {
  int& times = times_generated_[static_cast<std::size_t>(token)];
  if (times++ == 0) generated_.push_back(token);
}

}  // namespace inferwire::inline v0_1::engine
