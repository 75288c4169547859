/// \file
/// What a stream is to carry besides the answer.
#pragma once

#include <optional>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1 {

/// OpenAI and vLLM; Databricks answers 400 to it.
struct StreamOptions {
  std::optional<bool> include_usage{};
  std::optional<bool> include_obfuscation{};     ///< OpenAI
  std::optional<bool> continuous_usage_stats{};  ///< vLLM
  Extra extra{};

  INFERWIRE_API friend bool operator==(const StreamOptions&, const StreamOptions&);
};

}  // namespace inferwire::inline v0_1
