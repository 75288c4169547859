/// \file
/// What a stream carries in addition to the answer.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// OpenAI and vLLM; Databricks answers 400 to it.
struct StreamOptions {
  Optional<bool> include_usage{};        ///< the stream ends with a chunk that counts tokens; default false
  Optional<bool> include_obfuscation{};  ///< OpenAI: padding against guessing by length; default true
  Optional<bool> continuous_usage_stats{};  ///< vLLM: every chunk counts tokens; default false
  Extra extra{};

  INFERWIRE_API friend bool operator==(const StreamOptions&, const StreamOptions&);
};

}  // namespace inferwire::inline v0_1
