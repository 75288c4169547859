/// \file
/// Sums of time points and durations that do not overflow.
#pragma once

#include "inferwire/duration.hpp"

#include <algorithm>
#include <chrono>

namespace inferwire::inline v0_1::client {

/// `at` plus `wait`; TimePoint::max() if that would overflow.
inline TimePoint after(TimePoint at, Duration wait) noexcept {
  const auto left = std::chrono::floor<Duration>(TimePoint::max() - std::max(at, TimePoint{}));
  return wait < left ? at + wait : TimePoint::max();
}

}  // namespace inferwire::inline v0_1::client
