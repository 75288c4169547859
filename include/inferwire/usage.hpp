/// \file
/// Token counts of an answer, under all names that the providers use.
#pragma once

#include "inferwire/json.hpp"
#include "inferwire/optional.hpp"

#include <cstdint>

namespace inferwire::inline v0_1 {

/// A breakdown of the prompt's tokens (`prompt_tokens_details`, `input_tokens_details`).
struct PromptTokensDetails {
  Optional<std::int64_t> cached_tokens{};       ///< read from the cache
  Optional<std::int64_t> audio_tokens{};        ///< audio tokens
  Optional<std::int64_t> cache_write_tokens{};  ///< written to the cache
  Extra extra{};

  INFERWIRE_API friend bool operator==(const PromptTokensDetails&, const PromptTokensDetails&);
};

/// A breakdown of the answer's tokens (`completion_tokens_details`, `output_tokens_details`).
struct CompletionTokensDetails {
  Optional<std::int64_t> reasoning_tokens{};  ///< reasoning tokens, included in the answer's count
  Optional<std::int64_t> audio_tokens{};      ///< audio tokens
  /// Tokens of a predicted output that are in the answer.
  Optional<std::int64_t> accepted_prediction_tokens{};
  /// Tokens of a predicted output that are not in the answer, but are billed.
  Optional<std::int64_t> rejected_prediction_tokens{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CompletionTokensDetails&, const CompletionTokensDetails&);
};

/// Token counts as the server sent them. The functions read whichever of the names is present. All counts are
/// in tokens.
struct Usage {
  Optional<std::int64_t> prompt_tokens{};      ///< chat, completions, embeddings
  Optional<std::int64_t> completion_tokens{};  ///< chat, completions
  Optional<std::int64_t> total_tokens{};
  Optional<std::int64_t> reasoning_tokens{};  ///< Databricks, reasoning models
  Optional<std::int64_t> input_tokens{};      ///< Responses API
  Optional<std::int64_t> output_tokens{};     ///< Responses API
  Optional<PromptTokensDetails> prompt_tokens_details{};
  Optional<CompletionTokensDetails> completion_tokens_details{};
  Optional<PromptTokensDetails> input_tokens_details{};
  Optional<CompletionTokensDetails> output_tokens_details{};
  Optional<std::int64_t> cache_read_input_tokens{};      ///< Claude; not counted in `prompt_tokens`
  Optional<std::int64_t> cache_creation_input_tokens{};  ///< Claude; not counted in `prompt_tokens`
  Extra extra{};

  /// Tokens in the prompt as the server counts them: for Claude without those of `cached()` and
  /// `cache_write()`.
  INFERWIRE_API Optional<std::int64_t> prompt() const;
  /// Tokens in the answer.
  INFERWIRE_API Optional<std::int64_t> completion() const;
  /// `total_tokens`, or the sum of `prompt()` and `completion()` if the server sent none.
  INFERWIRE_API Optional<std::int64_t> total() const;
  /// Tokens of the input that were read from a cache.
  INFERWIRE_API Optional<std::int64_t> cached() const;
  /// Tokens of the input that were written to a cache.
  INFERWIRE_API Optional<std::int64_t> cache_write() const;
  /// Tokens of the answer that were reasoning.
  INFERWIRE_API Optional<std::int64_t> reasoning() const;

  INFERWIRE_API friend bool operator==(const Usage&, const Usage&);
};

}  // namespace inferwire::inline v0_1
