#include "cli/terminal/progress_line.hpp"

#include <algorithm>

namespace inferwire::inline v0_1::cli {

std::string progress_line(const JobState& job, std::size_t width) {
  constexpr std::size_t longest = 30, shortest = 4;
  constexpr std::size_t brackets_and_space = 3;
  const auto room = width > 0 ? width - 1 : 0;  // a terminal may wrap a line that is full
  auto numbers = std::to_string(job.ended) + " of " + std::to_string(job.all);
  if (job.failed != 0) numbers += ", " + std::to_string(job.failed) + " failed";
  if (job.wait.count() != 0) numbers += ", " + wait_text(job.wait, job.repeated);
  if (room < numbers.size() + brackets_and_space + shortest) return numbers.substr(0, room);
  const auto length = std::min(longest, room - numbers.size() - brackets_and_space);
  const std::string done(std::min(job.ended, job.all) * length / job.all, '#');
  return "[" + done + std::string(length - done.size(), ' ') + "] " + numbers;
}

std::string wait_text(std::chrono::seconds wait, std::size_t repeated) {
  auto text = "waits " + std::to_string(wait.count()) + " s for the service";
  if (repeated == 1) text += " (1 request repeated)";
  if (repeated > 1) text += " (" + std::to_string(repeated) + " requests repeated)";
  return text;
}

bool WaitReports::is_due(TimePoint now) noexcept {
  if (last_ && now - *last_ < std::chrono::minutes(1)) return false;
  last_ = now;
  return true;
}

}  // namespace inferwire::inline v0_1::cli
