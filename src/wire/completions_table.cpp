// The tables of the completions structs: the only place that spells their names. Flags: json/table.hpp.
#include "inferwire/completions.hpp"
#include "json/table.hpp"
#include "wire/documents.hpp"
#include "wire/stream_options_table.hpp"
#include "wire/usage_table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<completions::Request> {
  using Self = completions::Request;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(prompt, required | keep_empty),
      INFERWIRE_FIELD(max_tokens),
      INFERWIRE_FIELD(stream),
      INFERWIRE_FIELD(stream_options),
      INFERWIRE_FIELD(temperature),
      INFERWIRE_FIELD(top_p),
      INFERWIRE_FIELD(top_k),
      INFERWIRE_FIELD(error_behavior),
      INFERWIRE_FIELD(n),
      INFERWIRE_FIELD(best_of),
      INFERWIRE_FIELD(stop),
      INFERWIRE_FIELD(suffix),
      INFERWIRE_FIELD(echo),
      INFERWIRE_FIELD(use_raw_prompt),
      INFERWIRE_FIELD(logprobs),
      INFERWIRE_FIELD(seed),
      INFERWIRE_FIELD(frequency_penalty),
      INFERWIRE_FIELD(presence_penalty),
      INFERWIRE_FIELD(logit_bias),
      INFERWIRE_FIELD(user),
      INFERWIRE_FIELD(ignore_eos),
      INFERWIRE_FIELD(client_request_id),
      INFERWIRE_FIELD(usage_context),
      INFERWIRE_FIELD(extra_params),
  };
};

template <>
struct Fields<completions::Logprobs> {
  using Self = completions::Logprobs;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(tokens, keep_empty),
      INFERWIRE_FIELD(token_logprobs, keep_empty),
      INFERWIRE_FIELD(top_logprobs),
      INFERWIRE_FIELD(text_offset, keep_empty),
  };
};

template <>
struct Fields<completions::Choice> {
  using Self = completions::Choice;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(text, structure | keep_empty),
      INFERWIRE_FIELD(index),
      INFERWIRE_FIELD(logprobs),
      INFERWIRE_FIELD(finish_reason, emit_null),
      INFERWIRE_ALIAS(finish_reason, "finishReason"),
      INFERWIRE_FIELD(stop_reason),
  };
};

template <>
struct Fields<completions::Response> {
  using Self = completions::Response;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created),
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(choices, required | keep_empty),
      INFERWIRE_FIELD(usage),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(system_fingerprint),
  };
};

template <>
struct Fields<completions::Chunk> {
  using Self = completions::Chunk;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(created),
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(choices, structure | keep_empty),
      INFERWIRE_FIELD(usage),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(system_fingerprint),
      INFERWIRE_FIELD(obfuscation),
  };
};

template const Type& describe<completions::Request>();
template const Type& describe<completions::Response>();
template const Type& describe<completions::Chunk>();
template const Type& describe<completions::Choice>();

}  // namespace inferwire::inline v0_1::json
