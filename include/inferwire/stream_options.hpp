/// \file
/// What a stream contains in addition to the answer.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

namespace inferwire::inline v0_1 {

/// What a stream contains in addition to the answer. OpenAI and vLLM; Databricks has it in the Responses API
/// only, and answers 400 to it in chats.
struct StreamOptions {
  /// Whether the stream ends with a chunk with token counts; default false. Not in OpenAI's Responses API,
  /// whose last event has the counts anyway.
  Optional<bool> include_usage{};
  /// OpenAI: padding that hides the length of tokens from eavesdroppers; default true
  Optional<bool> include_obfuscation{};
  Optional<bool> continuous_usage_stats{};  ///< vLLM: every chunk has token counts; default false
  Extra extra{};

  INFERWIRE_API friend bool operator==(const StreamOptions&, const StreamOptions&);
};

}  // namespace inferwire::inline v0_1
