#include "cli/terminal/progress.hpp"

#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {

ProgressBar::ProgressBar(std::size_t all) : all_(std::max<std::size_t>(all, 1)), seen_(errors_are_seen()) {}

void ProgressBar::clear() {
  if (std::exchange(shown_, false)) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::show(std::size_t ended, std::size_t failed) {
  if (!seen_) return;
  shown_ = true;
  constexpr std::size_t width = 30;
  ended = std::min(ended, all_);
  const std::string bar(ended * width / all_, '#');
  std::cerr << "\r[" << bar << std::string(width - bar.size(), ' ') << "] " << ended << " of " << all_;
  if (failed != 0) std::cerr << ", " << failed << " failed";
  std::cerr << std::flush;
}

}  // namespace inferwire::inline v0_1::cli
