/// \file
/// Token counts of an answer, in every spelling that the providers use.
#pragma once

#include <cstdint>
#include <optional>

#include "inferwire/json.hpp"

namespace inferwire::inline v0_1 {

/// How the prompt's tokens divide (`prompt_tokens_details`, `input_tokens_details`).
struct PromptTokensDetails {
  std::optional<std::int64_t> cached_tokens{};
  std::optional<std::int64_t> audio_tokens{};
  std::optional<std::int64_t> cache_write_tokens{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const PromptTokensDetails&, const PromptTokensDetails&);
};

/// How the answer's tokens divide (`completion_tokens_details`, `output_tokens_details`).
struct CompletionTokensDetails {
  std::optional<std::int64_t> reasoning_tokens{};
  std::optional<std::int64_t> audio_tokens{};
  std::optional<std::int64_t> accepted_prediction_tokens{};
  std::optional<std::int64_t> rejected_prediction_tokens{};
  Extra extra{};

  INFERWIRE_API friend bool operator==(const CompletionTokensDetails&, const CompletionTokensDetails&);
};

/// Token counts as the server wrote them. The functions read whichever spelling is there; all counts are
/// tokens.
struct Usage {
  std::optional<std::int64_t> prompt_tokens{};
  std::optional<std::int64_t> completion_tokens{};
  std::optional<std::int64_t> total_tokens{};
  std::optional<std::int64_t> reasoning_tokens{};  ///< Databricks, reasoning models
  std::optional<std::int64_t> input_tokens{};      ///< Responses API
  std::optional<std::int64_t> output_tokens{};     ///< Responses API
  std::optional<PromptTokensDetails> prompt_tokens_details{};
  std::optional<CompletionTokensDetails> completion_tokens_details{};
  std::optional<PromptTokensDetails> input_tokens_details{};
  std::optional<CompletionTokensDetails> output_tokens_details{};
  std::optional<std::int64_t> cache_read_input_tokens{};      ///< Claude; not counted in `prompt_tokens`
  std::optional<std::int64_t> cache_creation_input_tokens{};  ///< Claude; not counted in `prompt_tokens`
  Extra extra{};

  INFERWIRE_API std::optional<std::int64_t> prompt() const;
  INFERWIRE_API std::optional<std::int64_t> completion() const;
  /// `total_tokens`, or the sum of prompt and completion where the server gave none.
  INFERWIRE_API std::optional<std::int64_t> total() const;
  INFERWIRE_API std::optional<std::int64_t> cached() const;
  INFERWIRE_API std::optional<std::int64_t> cache_write() const;
  INFERWIRE_API std::optional<std::int64_t> reasoning() const;

  INFERWIRE_API friend bool operator==(const Usage&, const Usage&);
};

}  // namespace inferwire::inline v0_1
