/// \file
/// What a stream contains in addition to the answer.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// What a stream contains in addition to the answer. OpenAI and vLLM; Databricks answers 400 to it.
struct StreamOptions {
  Optional<bool> include_usage{};  ///< the stream ends with a chunk with token counts; default false
  /// OpenAI: padding that hides the length of tokens from eavesdroppers; default true
  Optional<bool> include_obfuscation{};
  Optional<bool> continuous_usage_stats{};  ///< vLLM: every chunk has token counts; default false
  Extra extra{};

  INFERWIRE_API friend bool operator==(const StreamOptions&, const StreamOptions&);
};

}  // namespace inferwire::inline v0_1
