/// \file
/// The text for an answer that exceeds ExchangeOptions::max_body_bytes.
#pragma once

#include <cstdint>
#include <string>

namespace inferwire::inline v0_1 {

/// The detail of the error `too_large`, in every transport.
[[gnu::cold]] inline std::string larger_than_allowed(std::uint64_t max_body_bytes) {
  return "the answer is larger than the " + std::to_string(max_body_bytes) + " bytes allowed";
}

}  // namespace inferwire::inline v0_1
