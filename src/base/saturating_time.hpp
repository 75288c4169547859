/// \file
/// Sums of time points and durations that do not overflow.
#pragma once

#include "inferwire/duration.hpp"

#include <algorithm>
#include <chrono>

namespace inferwire::inline v0_1 {

/// `at` plus `wait`, which counts as none if it is negative; TimePoint::max() if that would overflow.
template <class Rep, class Period>
TimePoint after(TimePoint at, std::chrono::duration<Rep, Period> wait) noexcept {
  using Wait = decltype(wait);
  const auto left = std::chrono::floor<Wait>(TimePoint::max() - std::max(at, TimePoint{}));
  return wait < left ? at + std::max(wait, Wait::zero()) : TimePoint::max();
}

}  // namespace inferwire::inline v0_1
