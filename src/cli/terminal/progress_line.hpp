/// \file
/// What is shown of the progress of a long job.
#pragma once

#include "inferwire/duration.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::cli {

/// The state of a job.
struct JobState {
  std::size_t all{1};           ///< how many inputs there are, at least 1
  std::size_t ended{};          ///< how many have ended, including those that failed
  std::size_t failed{};         ///< how many have failed
  std::chrono::seconds wait{};  ///< how long the job waits for the service; 0: it does not
  std::size_t repeated{};       ///< how many requests had to be repeated so far
};

/// A bar and numbers, in fewer than `width` columns: "[####      ] 4 of 10, 1 failed, waits 20 s for the
/// service (1 request repeated)". The bar is shorter, or left out, where there is less room.
std::string progress_line(const JobState& job, std::size_t width);

/// "waits 20 s for the service (8 requests repeated)".
std::string wait_text(std::chrono::seconds wait, std::size_t repeated);

/// Decides which waits a log reports: the first one, and then one per minute at most, since a job may wait
/// thousands of times.
class WaitReports {
 public:
  /// Whether a wait at `now` is reported.
  bool is_due(TimePoint now) noexcept;

 private:
  std::optional<TimePoint> last_;
};

}  // namespace inferwire::inline v0_1::cli
