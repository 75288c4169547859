/// \file
/// Chooses the next token from a distribution, according to a request's sampling parameters.
#pragma once

#include "engine/model/random.hpp"
#include "inferwire/engine/language_model.hpp"

#include <bit>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Sampling parameters with the meaning of the OpenAI API. The defaults sample from the model's own
/// distribution. Ranges are checked when the request is validated; values outside do no harm here.
struct SamplingOptions {
  /// 0 always takes the likeliest token; of several, the one with the lowest number.
  float temperature = 1.0F;
  /// Keeps the likeliest tokens that together reach this probability, at least one. Applied after `top_k`.
  float top_p = 1.0F;
  /// Keeps this many of the likeliest tokens; 0 or less keeps all. 1 is the same as temperature 0.
  int top_k = 0;
  /// Subtracted from a token's logit once for each time it was generated.
  float frequency_penalty = 0.0F;
  /// Subtracted from a token's logit if it was generated at all.
  float presence_penalty = 0.0F;
  /// Added to the logits of tokens. -100 and below bans a token outright.
  std::vector<std::pair<Token, float>> logit_bias{};
  /// Equal seeds give equal texts. Several choices of one request use `mix(seed, index)`.
  std::uint64_t seed = 0;
  /// How many of the likeliest tokens to report besides the chosen one.
  int top_logprobs = 0;
};

/// A token and ln p in the model's own distribution: at temperature 1, before any sampling parameter.
struct ScoredToken {
  Token token = 0;
  float logprob = 0.0F;
};

/// A chosen token.
struct Sample {
  Token token = 0;
  float logprob = 0.0F;            ///< like ScoredToken::logprob
  std::vector<ScoredToken> top{};  ///< the model's `top_logprobs` likeliest tokens, likeliest first
};

/// The `count` likeliest tokens, the likeliest first; of equally likely ones, the lower number first.
std::vector<ScoredToken> likeliest_tokens(std::span<const float> log_probs, int count);

/// Chooses the tokens of one generation; used by one thread at a time. The order of its steps: mask, logit
/// bias, penalties, temperature, top_k, top_p, draw.
class Sampler {
 public:
  explicit Sampler(SamplingOptions options, int vocabulary_size);

  /// Chooses by the model's `log_probs`. `allowed`, if given, has one element per token; 0 excludes it.
  /// Returns nothing if every token is excluded or banned.
  std::optional<Sample> next(std::span<const float> log_probs, std::span<const std::uint8_t> allowed = {});

 private:
  /// A token and its weight as one number, for fast sorting: by weight, of equal weights the lower token
  /// is the greater.
  class Candidate {
   public:
    Candidate() = default;
    /// `weight` must not be negative: such floats are ordered like their bits.
    Candidate(Token token, float weight)
        : bits_{static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(weight)) << 32U |
                (UINT32_MAX - static_cast<std::uint32_t>(token))} {}

    float weight() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_ >> 32U)); }
    Token token() const { return static_cast<Token>(UINT32_MAX - static_cast<std::uint32_t>(bits_)); }
    auto operator<=>(const Candidate&) const = default;

   private:
    std::uint64_t bits_{};
  };

  void adjust(std::span<const float> log_probs, std::span<const std::uint8_t> allowed);
  Token first_with(float score) const;
  Token draw(float highest);
  Token draw_from_all();
  Token draw_from_likeliest();
  /// A limit below at least the `most` largest weights, if there are that many.
  float limit_below(std::size_t most) const;
  void collect(float above);
  void remember(Token token);

  SamplingOptions options_;
  Random random_;
  std::vector<float> scores_;          ///< logits, then weights, of every token
  std::vector<Candidate> candidates_;  ///< those of draw_from_likeliest
  std::vector<int> times_generated_;   ///< how often each token was generated
  std::vector<Token> generated_;       ///< tokens with times_generated_ > 0
};

}  // namespace inferwire::inline v0_1::engine
