/// \file
/// Sums of points in time and durations that stay within what a clock can show.
#pragma once

#include <algorithm>
#include <chrono>

#include "inferwire/duration.hpp"

namespace inferwire::inline v0_1::client {

/// `wait` after `at`; TimePoint::max() for what is too far away to be told.
inline TimePoint after(TimePoint at, Duration wait) noexcept {
  const auto left = std::chrono::floor<Duration>(TimePoint::max() - std::max(at, TimePoint{}));
  return wait < left ? at + wait : TimePoint::max();
}

}  // namespace inferwire::inline v0_1::client
