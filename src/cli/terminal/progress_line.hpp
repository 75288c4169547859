/// \file
/// The line that shows the progress of a long job.
#pragma once

#include <cstddef>
#include <string>

namespace inferwire::inline v0_1::cli {

/// The state of a job.
struct JobState {
  std::size_t all{1};    ///< how many inputs there are, at least 1
  std::size_t ended{};   ///< how many have ended, including those that failed
  std::size_t failed{};  ///< how many have failed
};

/// A bar and numbers, in fewer than `width` columns: "[####      ] 4 of 10, 1 failed". The bar is shorter, or
/// left out, where there is less room.
std::string progress_line(const JobState& job, std::size_t width);

}  // namespace inferwire::inline v0_1::cli
