/// \file
/// The tables of Usage, which all kinds of documents hold.
#pragma once

#include "inferwire/usage.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<PromptTokensDetails> {
  using Self = PromptTokensDetails;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(cached_tokens),
      INFERWIRE_FIELD(audio_tokens),
      INFERWIRE_FIELD(cache_write_tokens),
  };
};

template <>
struct Fields<CompletionTokensDetails> {
  using Self = CompletionTokensDetails;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(reasoning_tokens),
      INFERWIRE_FIELD(audio_tokens),
      INFERWIRE_FIELD(accepted_prediction_tokens),
      INFERWIRE_FIELD(rejected_prediction_tokens),
  };
};

template <>
struct Fields<Usage> {
  using Self = Usage;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(prompt_tokens),
      INFERWIRE_FIELD(completion_tokens),
      INFERWIRE_FIELD(total_tokens),
      INFERWIRE_FIELD(reasoning_tokens),
      INFERWIRE_FIELD(input_tokens),
      INFERWIRE_FIELD(output_tokens),
      INFERWIRE_FIELD(prompt_tokens_details),
      INFERWIRE_FIELD(completion_tokens_details),
      INFERWIRE_FIELD(input_tokens_details),
      INFERWIRE_FIELD(output_tokens_details),
      INFERWIRE_FIELD(cache_read_input_tokens),
      INFERWIRE_FIELD(cache_creation_input_tokens),
  };
};

}  // namespace inferwire::inline v0_1::json
