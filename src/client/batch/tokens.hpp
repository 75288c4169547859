/// \file
/// How many tokens a request of a batch used.
#pragma once

#include "inferwire/client.hpp"

#include <cstdint>

namespace inferwire::inline v0_1::client {

/// The number of tokens that an answer reports; 0 if it reports none.
template <class Response>
std::int64_t tokens_of(const Response& answer) {
  return answer.usage ? answer.usage->total().value_or(0) : 0;
}
std::int64_t tokens_of(const RawResponse& answer);

}  // namespace inferwire::inline v0_1::client
