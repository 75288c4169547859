/// \file
/// Sums of token counts.
#pragma once

#include "inferwire/optional.hpp"

#include <cstdint>

namespace inferwire::inline v0_1::client {

/// Adds a count to `sum`. Counts come from the server: a negative one, or one that would overflow the sum, is
/// left out.
inline void add_tokens(Optional<std::int64_t>& sum, const Optional<std::int64_t>& tokens) {
  const auto before = sum.value_or(0);
  if (tokens && *tokens >= 0 && *tokens <= INT64_MAX - before) sum = before + *tokens;
}

}  // namespace inferwire::inline v0_1::client
