/// \file
/// The minimum number of tokens that a text needs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace inferwire::inline v0_1::engine {

/// A number of tokens, or `unreachable`.
using Cost = std::uint32_t;

/// More than any cost: there is no such text, or none short enough ever to be written.
inline constexpr Cost unreachable = 1U << 28;

constexpr Cost plus(Cost a, Cost b) noexcept { return std::min(a + b, unreachable); }

constexpr Cost times(std::uint64_t count, Cost cost) noexcept {
  if (count == 0 || cost == 0) return 0;
  return count >= unreachable / cost ? unreachable : static_cast<Cost>(count * cost);
}

}  // namespace inferwire::inline v0_1::engine
