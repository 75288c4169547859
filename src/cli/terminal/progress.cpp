#include "cli/terminal/progress.hpp"

#include "cli/terminal/progress_line.hpp"
#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

namespace inferwire::inline v0_1::cli {

ProgressBar::ProgressBar(std::size_t all) : all_(std::max<std::size_t>(all, 1)), seen_(errors_are_seen()) {}

void ProgressBar::clear() {
  if (std::exchange(shown_, false)) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::show(std::size_t ended, std::size_t failed) {
  if (!seen_) return;
  shown_ = true;
  const JobState job{.all = all_, .ended = std::min(ended, all_), .failed = failed};
  std::cerr << "\r" << progress_line(job, errors_width()) << "\x1b[K" << std::flush;
}

}  // namespace inferwire::inline v0_1::cli
