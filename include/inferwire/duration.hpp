/// \file
/// The types of durations and points in time in this library.
#pragma once

#include <version>
#ifdef __GLIBCXX__
// Durations and clocks without the calendar of this library's <chrono>, whose <sstream> and <locale> are a
// fifth of what client.hpp would cost a file that includes it.
#include <mutex>
#else
#include <chrono>
#endif

namespace inferwire::inline v0_1 {

using Duration = std::chrono::milliseconds;
using TimePoint = std::chrono::steady_clock::time_point;

}  // namespace inferwire::inline v0_1
