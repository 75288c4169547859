/// \file
/// What a stream is to carry besides the answer.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// OpenAI and vLLM; Databricks answers 400 to it.
struct StreamOptions {
  Optional<bool> include_usage{};
  Optional<bool> include_obfuscation{};     ///< OpenAI
  Optional<bool> continuous_usage_stats{};  ///< vLLM
  Extra extra{};

  INFERWIRE_API friend bool operator==(const StreamOptions&, const StreamOptions&);
};

}  // namespace inferwire::inline v0_1
