#include "cli/terminal/progress.hpp"

#include "cli/terminal/terminal.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>

namespace inferwire::inline v0_1::cli {

ProgressBar::ProgressBar(std::size_t all, std::size_t before)
    : all_(std::max<std::size_t>(all, 1)), before_(before), seen_(errors_are_seen()) {}

void ProgressBar::clear() {
  if (std::exchange(shown_, false)) std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressBar::on_progress(const BatchProgress& progress) {
  if (!seen_) return;
  shown_ = true;
  constexpr std::size_t width = 30;
  const auto ended = std::min(before_ + progress.done + progress.failed, all_);
  const std::string bar(ended * width / all_, '#');
  std::cerr << "\r[" << bar << std::string(width - bar.size(), ' ') << "] " << ended << " of " << all_;
  if (progress.failed != 0) std::cerr << ", " << progress.failed << " failed";
  std::cerr << std::flush;
}

}  // namespace inferwire::inline v0_1::cli
