/// \file
/// How long to wait, in the form in which poll, epoll and libcurl take it.
#pragma once

#include "inferwire/timeouts.hpp"

#include <chrono>

namespace inferwire::inline v0_1::http {

/// The time to wait, in milliseconds: rounded up, so that the last fraction is not spent in a busy loop; at
/// most an hour.
inline int wait_milliseconds(TimePoint deadline) noexcept {
  using std::chrono::milliseconds;
  constexpr milliseconds longest = std::chrono::hours(1);
  const auto now = std::chrono::steady_clock::now();
  if (deadline <= now) return 0;
  if (deadline - now > longest) return static_cast<int>(longest.count());
  return static_cast<int>(std::chrono::ceil<milliseconds>(deadline - now).count());
}

}  // namespace inferwire::inline v0_1::http
