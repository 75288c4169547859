/// \file
/// The tables of logprobs, which several kinds of answers hold.
#pragma once

#include "inferwire/logprobs.hpp"
#include "json/table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<TopLogprob> {
  using Self = TopLogprob;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(token, keep_empty | or_number),
      INFERWIRE_FIELD(logprob),
      INFERWIRE_FIELD(bytes, emit_null),
  };
};

template <>
struct Fields<TokenLogprob> {
  using Self = TokenLogprob;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(token, keep_empty | or_number),
      INFERWIRE_FIELD(logprob),
      INFERWIRE_FIELD(bytes, emit_null),
      INFERWIRE_FIELD(top_logprobs, keep_empty),
  };
};

}  // namespace inferwire::inline v0_1::json
