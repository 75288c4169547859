/// \file
/// Sums of time points and durations that do not overflow.
#pragma once

#include "inferwire/duration.hpp"

#include <algorithm>
#include <chrono>

namespace inferwire::inline v0_1::client {

/// `at` plus `wait`, which counts as none if it is negative; TimePoint::max() if that would overflow.
inline TimePoint after(TimePoint at, Duration wait) noexcept {
  const auto left = std::chrono::floor<Duration>(TimePoint::max() - std::max(at, TimePoint{}));
  return wait < left ? at + std::max(wait, Duration::zero()) : TimePoint::max();
}

}  // namespace inferwire::inline v0_1::client
