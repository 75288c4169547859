/// \file
/// Log probabilities of the tokens of an answer.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// A token that could have been chosen.
struct TopLogprob {
  std::string token{};  ///< the token's text; LMI before 0.33 sends the logprob here, as a number
  /// Natural logarithm of its probability. -9999, as OpenAI sends for a token that is very unlikely, if the
  /// server sent none, null (as some do for minus infinity), or no number, which is then in `extra`.
  double logprob{-9999};
  Optional<std::vector<std::int64_t>> bytes{};  ///< the token's bytes; LMI before 0.33: code points
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TopLogprob&, const TopLogprob&);
};

/// A token of the answer.
struct TokenLogprob {
  std::string token{};                          ///< the token's text; may be part of a character: see `bytes`
  double logprob{-9999};                        ///< see TopLogprob::logprob
  Optional<std::vector<std::int64_t>> bytes{};  ///< the token's bytes, 0 to 255
  std::vector<TopLogprob> top_logprobs{};       ///< the likeliest tokens at this place
  Extra extra{};

  INFERWIRE_API friend bool operator==(const TokenLogprob&, const TokenLogprob&);
};

}  // namespace inferwire::inline v0_1
